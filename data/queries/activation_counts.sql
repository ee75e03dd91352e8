-- Which rules, skills, personas, precedents, debates and fallbacks took part, and how often?
-- `share` is of all deliberations; `n_turned` counts verdicts that were otherwise without it.
with
scoped as (
    from scope($since, $topic, $batch)
),
counts as (
    select
        kind,
        subject,
        count(*) as n,
        count(distinct deliberation_id) as n_deliberations,
        count(*) filter (where turned) as n_turned
    from activations
    join scoped using (deliberation_id)
    group by kind, subject
),
final as (
    select *, n_deliberations / (select count(*) from scoped) as share
    from counts
)
select * from final
order by n_deliberations desc, kind, subject
