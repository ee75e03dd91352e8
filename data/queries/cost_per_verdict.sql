-- What does a verdict cost, by topic?
-- US dollars and tokens where the providers tell them, those of arenas included; `n_unpriced` are
-- the opinions, and the calls of arenas, without a price. Opinions heard earlier cost nothing again.
-- Topic * is all topics.
with
scoped as (
    from scope($since, $topic, $batch)
),
final as (
    select
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n,
        sum(cost_usd) as total_usd,
        avg(cost_usd) as mean_usd,
        quantile_cont(cost_usd, 0.5) as p50_usd,
        quantile_cont(cost_usd, 0.9) as p90_usd,
        cast(sum(n_unpriced) as bigint) as n_unpriced,
        avg(calls) as mean_calls,
        avg(prompt_tokens) as mean_prompt_tokens,
        avg(completion_tokens) as mean_completion_tokens
    from scoped
    join costs using (deliberation_id)
    group by grouping sets ((topic), ())
)
select * from final
where n > 0
order by topic
