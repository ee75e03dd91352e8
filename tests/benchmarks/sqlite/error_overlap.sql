with /*scope*/,
judged as materialized (
    select deliberation_id, juror, stance, stance <> right_option as is_wrong
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
pairs as (
    select one.juror as juror_a, two.juror as juror_b, count(*) as n,
        sum(one.is_wrong) as n_wrong_a, sum(two.is_wrong) as n_wrong_b,
        sum(one.is_wrong and two.is_wrong) as n_both_wrong,
        sum(one.is_wrong and one.stance = two.stance) as n_same_wrong
    from judged as one
    join judged as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror
)
select *, 1.0 * n_wrong_a * n_wrong_b / n as expected_both_wrong,
    (n * n_both_wrong - n_wrong_a * n_wrong_b)
        / nullif(sqrt(1.0 * n_wrong_a * (n - n_wrong_a) * n_wrong_b * (n - n_wrong_b)), 0)
        as correlation
from pairs
order by correlation desc nulls last, juror_a, juror_b
