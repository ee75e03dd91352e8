with /*scope*/,
sittings as materialized (
    select date(finished_at) as day, juror, max(provider) as provider,
        count(distinct deliberation_id) as n_sittings
    from opinions
    join scoped using (deliberation_id)
    where round = 1
    group by 1, 2
),
fallen as (
    select date(finished_at) as day, subject as juror,
        count(distinct deliberation_id) as n_fallbacks
    from activations
    join scoped using (deliberation_id)
    where kind = 'fallback'
    group by 1, 2
)
select day, juror, provider, n_fallbacks, n_sittings, 1.0 * n_fallbacks / n_sittings as share
from fallen
join sittings using (day, juror)
order by day, share desc, juror
