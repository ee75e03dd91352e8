with /*scope*/,
judged as materialized (
    select juror, scoped.topic, stance = right_option as is_right
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
tallies as (
    select juror, topic, count(*) as n, sum(is_right) as n_right from judged group by juror, topic
    union all
    select juror, '*', count(*), sum(is_right) from judged group by juror
)
select juror, topic, n, n_right, 1.0 * n_right / n as reliability,
    wilson_low(n_right, n), wilson_high(n_right, n)
from tallies
order by topic, reliability desc, juror
