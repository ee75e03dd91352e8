with /*scope*/,
debated as materialized (
    select scoped.topic, coalesce(option_before = right_option, 0) as was_right,
        coalesce(option = right_option, 0) as is_right, option_before is not option as is_turned
    from verdicts
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where status_before is not null
),
tallies as (
    select topic, count(*) as n, sum(is_turned) as n_turned, sum(was_right) as n_right_before,
        sum(is_right) as n_right_after, sum(is_right and not was_right) as n_won,
        sum(was_right and not is_right) as n_lost
    from debated
    group by topic
    union all
    select '*', count(*), sum(is_turned), sum(was_right), sum(is_right),
        sum(is_right and not was_right), sum(was_right and not is_right)
    from debated
)
select *, 1.0 * (n_won - n_lost) / n from tallies where n > 0 order by topic
