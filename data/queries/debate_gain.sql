-- Does the debate make verdicts better, by topic?
-- Deliberations with a debate and an outcome: right before, right after, won and lost by it. A
-- verdict without an option counts as not right; topic * is all topics.
with
scoped as (
    from scope($since, $topic, $batch)
),
debated as (
    select
        topic,
        coalesce(option_before = right_option, false) as was_right,
        coalesce(option = right_option, false) as is_right,
        option_before is distinct from option as is_turned
    from verdicts
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where status_before is not null
),
tallies as (
    select
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n,
        count(*) filter (where is_turned) as n_turned,
        count(*) filter (where was_right) as n_right_before,
        count(*) filter (where is_right) as n_right_after,
        count(*) filter (where is_right and not was_right) as n_won,
        count(*) filter (where was_right and not is_right) as n_lost
    from debated
    group by grouping sets ((topic), ())
),
final as (
    select *, (n_won - n_lost) / n as gain
    from tallies
    where n > 0
)
select * from final
order by topic
