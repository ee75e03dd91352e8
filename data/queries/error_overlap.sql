-- Do two jurors err together more often than two independent ones would?
-- Round 1 stances against the outcomes. `expected_both_wrong` is what independence would give;
-- `correlation` is the phi coefficient of their errors; null where one never or always errs.
with
scoped as (
    from scope($since, $topic, $batch)
),
judged as (
    select deliberation_id, juror, stance, stance <> right_option as is_wrong
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
pairs as (
    select
        one.juror as juror_a,
        two.juror as juror_b,
        count(*) as n,
        count(*) filter (where one.is_wrong) as n_wrong_a,
        count(*) filter (where two.is_wrong) as n_wrong_b,
        count(*) filter (where one.is_wrong and two.is_wrong) as n_both_wrong,
        count(*) filter (where one.is_wrong and one.stance = two.stance) as n_same_wrong
    from judged as one
    join judged as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror
),
final as (
    select
        *,
        n_wrong_a * n_wrong_b / n as expected_both_wrong,
        (n * n_both_wrong - n_wrong_a * n_wrong_b)
            / nullif(sqrt(1.0 * n_wrong_a * (n - n_wrong_a) * n_wrong_b * (n - n_wrong_b)), 0)
            as correlation
    from pairs
)
select * from final
order by correlation desc nulls last, juror_a, juror_b
