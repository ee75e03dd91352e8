-- How far do all jurors agree beyond chance, by topic (Krippendorff's alpha)?
-- Nominal alpha (Krippendorff 2011) over the round 1 stances; abstentions and `other` are missing
-- values; topic * is all topics. 1 is full agreement, 0 is chance.
with
scoped as (
    from scope($since, $topic, $batch)
),
counts as (
    select deliberation_id, topic, stance, count(*) as n
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
    group by deliberation_id, topic, stance
),
paired as (
    select *, sum(n) over (partition by deliberation_id) as n_unit
    from counts
    qualify n_unit > 1
),
observed as (
    select
        topic,
        grouping(topic) as is_all,
        count(distinct deliberation_id) as n_deliberations,
        sum(n) as n_stances,
        sum(n * (n - 1) / (n_unit - 1)) as agreeing
    from paired
    group by grouping sets ((topic), ())
),
options as (
    select topic, grouping(topic) as is_all, stance, sum(n) as n
    from paired
    group by grouping sets ((topic, stance), (stance))
),
expected as (
    select topic, is_all, sum(n * (n - 1)) as same
    from options
    group by topic, is_all
),
final as (
    select
        if(observed.is_all = 1, '*', observed.topic) as topic,
        n_deliberations,
        cast(n_stances as bigint) as n_stances,
        1 - (n_stances - 1) * (n_stances - agreeing) / nullif(n_stances * (n_stances - 1) - same, 0) as alpha
    from observed
    join expected
        on expected.is_all = observed.is_all and expected.topic is not distinct from observed.topic
    where n_stances > 0
)
select * from final
order by topic
