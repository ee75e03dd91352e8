with /*scope*/,
reasons as (
    select date(finished_at) as day, coalesce(provider, 'unknown') as provider,
        abstain_reason as reason, count(*) as n
    from opinions
    join scoped using (deliberation_id)
    group by 1, 2, 3
),
shares as (
    select *, sum(n) over (partition by day, provider) as n_opinions from reasons
)
select day, provider, reason, n, n_opinions, 1.0 * n / n_opinions as share
from shares
where reason is not null
order by day, share desc, provider, reason
