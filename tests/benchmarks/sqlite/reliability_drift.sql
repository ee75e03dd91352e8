with /*scope*/,
weeks as (
    select juror, date(finished_at, '-6 days', 'weekday 1') as week, count(*) as n,
        sum(stance = right_option) as n_right
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
    group by 1, 2
),
windows as (
    select *, sum(n) over latest as n_four_weeks, sum(n_right) over latest as n_right_four_weeks
    from weeks
    window latest as (partition by juror order by week rows 3 preceding)
)
select juror, week, n, n_right, n_four_weeks, 1.0 * n_right_four_weeks / n_four_weeks,
    wilson_low(n_right_four_weeks, n_four_weeks), wilson_high(n_right_four_weeks, n_four_weeks)
from windows
order by juror, week
