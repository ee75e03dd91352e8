-- Is a juror getting better or worse, week by week?
-- Round 1 stances against the outcomes. The share of a row is that of the four latest weeks with an
-- outcome up to and including its own; 95 % Wilson interval. Weeks begin on Monday (UTC).
with
scoped as (
    from scope($since, $topic, $batch)
),
weeks as (
    select
        juror,
        cast(date_trunc('week', finished_at) as date) as week,
        count(*) as n,
        count(*) filter (where stance = right_option) as n_right
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
    group by juror, week
),
windows as (
    select
        *,
        cast(sum(n) over latest as bigint) as n_four_weeks,
        cast(sum(n_right) over latest as bigint) as n_right_four_weeks
    from weeks
    window latest as (partition by juror order by week rows 3 preceding)
),
final as (
    select
        juror,
        week,
        n,
        n_right,
        n_four_weeks,
        n_right_four_weeks / n_four_weeks as reliability,
        wilson_low(n_right_four_weeks, n_four_weeks) as low,
        wilson_high(n_right_four_weeks, n_four_weeks) as high
    from windows
)
select * from final
order by juror, week
