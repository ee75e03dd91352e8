-- Which provider fails how often, by day, and why?
-- One row per day, provider and reason; `share` is of all opinions asked from it that day (UTC).
with
scoped as (
    from scope($since, $topic, $batch)
),
asked as (
    select
        cast(finished_at as date) as day,
        coalesce(provider, 'unknown') as provider,
        abstain_reason
    from opinions
    join scoped using (deliberation_id)
),
reasons as (
    select day, provider, abstain_reason, count(*) as n
    from asked
    group by day, provider, abstain_reason
),
shares as (
    select *, cast(sum(n) over (partition by day, provider) as bigint) as n_opinions
    from reasons
),
final as (
    select day, provider, abstain_reason as reason, n, n_opinions, n / n_opinions as share
    from shares
    where abstain_reason is not null
)
select * from final
order by day, share desc, provider, reason
