with /*scope*/,
stances as materialized (
    select deliberation_id, juror, stance
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
),
cells as materialized (
    select one.juror as juror_a, two.juror as juror_b,
        one.stance as stance_a, two.stance as stance_b, count(*) as n
    from stances as one
    join stances as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror, one.stance, two.stance
),
totals as (
    select juror_a, juror_b, sum(n) as n, sum(iif(stance_a = stance_b, n, 0)) as n_agree
    from cells
    group by juror_a, juror_b
),
margins_a as materialized (
    select juror_a, juror_b, stance_a as stance, sum(n) as n
    from cells
    group by juror_a, juror_b, stance_a
),
margins_b as materialized (
    select juror_a, juror_b, stance_b as stance, sum(n) as n
    from cells
    group by juror_a, juror_b, stance_b
),
chance as (
    select juror_a, juror_b, sum(margins_a.n * margins_b.n) as n_squared
    from margins_a
    join margins_b using (juror_a, juror_b, stance)
    group by juror_a, juror_b
),
shares as (
    select juror_a, juror_b, n, 1.0 * n_agree / n as observed,
        1.0 * coalesce(n_squared, 0) / (n * n) as expected
    from totals
    left join chance using (juror_a, juror_b)
)
select *, (observed - expected) / nullif(1 - expected, 0) as kappa
from shares
order by kappa desc nulls last, juror_a, juror_b
