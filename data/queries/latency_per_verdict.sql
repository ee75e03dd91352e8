-- How long does a verdict take, by topic, and how much of it is the slowest juror?
-- Milliseconds from question to verdict at the 50th, 90th and 99th percentile; topic * is all.
with
scoped as (
    from scope($since, $topic, $batch)
),
slowest as (
    select deliberation_id, max(latency_ms) as slowest_ms
    from opinions
    group by deliberation_id
),
final as (
    select
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n,
        quantile_cont(duration_ms, 0.5) as p50_ms,
        quantile_cont(duration_ms, 0.9) as p90_ms,
        quantile_cont(duration_ms, 0.99) as p99_ms,
        quantile_cont(slowest_ms, 0.5) as slowest_opinion_p50_ms
    from scoped
    join slowest using (deliberation_id)
    group by grouping sets ((topic), ())
)
select * from final
where n > 0
order by topic
