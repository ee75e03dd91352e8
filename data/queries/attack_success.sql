-- Whose attacks land, by topic?
-- `n` are the bouts that count; an attack lands when it weakens the verdict or overturns it. Topic *
-- is all topics; 95 % Wilson interval.
with
scoped as (
    select deliberation_id from scope($since, $topic, $batch)
),
tallies as (
    select
        persona,
        if(grouping(topic) = 1, '*', topic) as topic,
        count(outcome) as n,
        count(*) filter (where outcome in ('weakened', 'overturned')) as n_landed,
        count(*) filter (where outcome = 'overturned') as n_overturned,
        count(*) filter (where outcome = 'draw') as n_draws,
        count(*) filter (where outcome is null) as n_void,
        avg(severity) as mean_severity
    from bouts
    join scoped using (deliberation_id)
    group by grouping sets ((persona, topic), (persona))
),
final as (
    select
        *,
        n_landed / nullif(n, 0) as share_landed,
        wilson_low(n_landed, n) as low,
        wilson_high(n_landed, n) as high
    from tallies
)
select * from final
order by topic, share_landed desc nulls last, persona
