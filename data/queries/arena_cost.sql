-- What does the arena cost per verdict, and what does it buy, by topic?
-- Calls and US dollars of the bouts and reopened rounds, which `cost_per_verdict` includes.
-- Bought: verdicts marked as contested, verdicts turned by a reopened round, and of those with an
-- outcome how many it turned to the right option and how many away from it. Topic * is all topics.
with
scoped as (
    select deliberation_id, topic from scope($since, $topic, $batch)
),
marked as (
    select
        arenas.*,
        topic,
        reopened and option_after is distinct from option_before as is_turned,
        coalesce(option_before = right_option, false) as was_right,
        coalesce(option_after = right_option, false) as is_right
    from arenas
    join scoped using (deliberation_id)
    left join truths using (deliberation_id)
),
final as (
    select
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n,
        cast(sum(bouts) as bigint) as n_bouts,
        cast(sum(calls) as bigint) as n_calls,
        avg(calls) as mean_calls,
        sum(cost_usd) as total_usd,
        avg(cost_usd) as mean_usd,
        cast(sum(n_unpriced) as bigint) as n_unpriced,
        count(*) filter (where overturned > 0) as n_contested,
        count(*) filter (where is_turned) as n_turned,
        count(*) filter (where is_turned and is_right and not was_right) as n_won,
        count(*) filter (where is_turned and was_right and not is_right) as n_lost
    from marked
    group by grouping sets ((topic), ())
)
select * from final
where n > 0
order by topic
