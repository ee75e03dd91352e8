with /*scope*/,
stances as materialized (
    select deliberation_id, juror, stance, 1.0 / nullif(json_array_length(options), 0) as guess
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
),
pairs as (
    select one.juror as juror_a, two.juror as juror_b, count(*) as n,
        sum(one.stance = two.stance) as n_agree, avg(one.guess) as by_chance
    from stances as one
    join stances as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror
)
select juror_a, juror_b, n, n_agree, 1.0 * n_agree / n as agreement,
    wilson_low(n_agree, n), wilson_high(n_agree, n), by_chance
from pairs
order by agreement desc, juror_a, juror_b
