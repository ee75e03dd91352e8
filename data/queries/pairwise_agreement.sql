-- How often do two jurors give the same stance before either has heard the other?
-- `other` is left out: two jurors outside the options need not agree. `by_chance` is the mean of
-- 1 / number of options: what two jurors that guess would reach. 95 % Wilson interval.
with
scoped as (
    from scope($since, $topic, $batch)
),
stances as (
    select deliberation_id, juror, stance, 1 / nullif(len(options), 0) as guess
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
),
pairs as (
    select
        one.juror as juror_a,
        two.juror as juror_b,
        count(*) as n,
        count(*) filter (where one.stance = two.stance) as n_agree,
        avg(one.guess) as by_chance
    from stances as one
    join stances as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror
),
final as (
    select
        juror_a,
        juror_b,
        n,
        n_agree,
        n_agree / n as agreement,
        wilson_low(n_agree, n) as low,
        wilson_high(n_agree, n) as high,
        by_chance
    from pairs
)
select * from final
order by agreement desc, juror_a, juror_b
