with /*scope*/,
marked as materialized (
    select juror, scoped.topic, right_option, coalesce(option = right_option, 0) as is_right
    from dissents
    join scoped using (deliberation_id)
    left join truths using (deliberation_id)
),
tallies as (
    select juror, topic, count(*) as n_dissents, count(right_option) as n_judged,
        sum(is_right) as n_right
    from marked
    group by juror, topic
    union all
    select juror, '*', count(*), count(right_option), sum(is_right) from marked group by juror
)
select *, 1.0 * n_right / nullif(n_judged, 0),
    wilson_low(n_right, n_judged), wilson_high(n_right, n_judged)
from tallies
order by topic, n_right desc, juror
