-- Which seat fell back to another endpoint, how often, by day?
-- `n_sittings` are the deliberations of that day (UTC) that the juror sat in.
with
scoped as (
    from scope($since, $topic, $batch)
),
sittings as (
    select
        cast(finished_at as date) as day,
        juror,
        any_value(provider) as provider,
        count(distinct deliberation_id) as n_sittings
    from opinions
    join scoped using (deliberation_id)
    where round = 1
    group by day, juror
),
fallen as (
    select
        cast(finished_at as date) as day,
        subject as juror,
        count(distinct deliberation_id) as n_fallbacks
    from activations
    join scoped using (deliberation_id)
    where kind = 'fallback'
    group by day, juror
),
final as (
    select
        day,
        juror,
        provider,
        n_fallbacks,
        n_sittings,
        n_fallbacks / n_sittings as share
    from fallen
    join sittings using (day, juror)
)
select * from final
order by day, share desc, juror
