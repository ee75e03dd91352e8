-- How far do two jurors agree beyond chance (Cohen's kappa)?
-- Cohen 1960, over the round 1 stances of the deliberations that both took a stance in; `other` is
-- left out. Chance comes from how often each names each option: where every question has options of
-- its own it is near 0, and `by_chance` of pairwise_agreement is the one to look at.
with
scoped as (
    from scope($since, $topic, $batch)
),
stances as (
    select deliberation_id, juror, stance
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
),
cells as (
    select
        one.juror as juror_a,
        two.juror as juror_b,
        one.stance as stance_a,
        two.stance as stance_b,
        count(*) as n
    from stances as one
    join stances as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.juror, two.juror, one.stance, two.stance
),
totals as (
    select juror_a, juror_b, sum(n) as n, coalesce(sum(n) filter (where stance_a = stance_b), 0) as n_agree
    from cells
    group by juror_a, juror_b
),
margins_a as (
    select juror_a, juror_b, stance_a as stance, sum(n) as n
    from cells
    group by juror_a, juror_b, stance_a
),
margins_b as (
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
    select
        juror_a,
        juror_b,
        cast(n as bigint) as n,
        n_agree / n as observed,
        coalesce(n_squared, 0) / (n * n) as expected
    from totals
    left join chance using (juror_a, juror_b)
),
final as (
    select *, (observed - expected) / nullif(1 - expected, 0) as kappa
    from shares
)
select * from final
order by kappa desc nulls last, juror_a, juror_b
