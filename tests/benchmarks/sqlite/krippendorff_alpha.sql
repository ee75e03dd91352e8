with /*scope*/,
counts as (
    select deliberation_id, scoped.topic, stance, count(*) as n
    from opinions
    join scoped using (deliberation_id)
    where round = 1 and stance <> 'other'
    group by deliberation_id, scoped.topic, stance
),
paired as materialized (
    select * from (
        select *, sum(n) over (partition by deliberation_id) as n_unit from counts
    ) where n_unit > 1
),
observed as (
    select topic, 0 as is_all, count(distinct deliberation_id) as n_deliberations,
        sum(n) as n_stances, sum(1.0 * n * (n - 1) / (n_unit - 1)) as agreeing
    from paired
    group by topic
    union all
    select '*', 1, count(distinct deliberation_id), sum(n), sum(1.0 * n * (n - 1) / (n_unit - 1))
    from paired
),
options as (
    select topic, 0 as is_all, stance, sum(n) as n from paired group by topic, stance
    union all
    select '*', 1, stance, sum(n) from paired group by stance
),
expected as (
    select topic, is_all, sum(n * (n - 1)) as same from options group by topic, is_all
)
select topic, n_deliberations, n_stances,
    1 - (n_stances - 1) * (n_stances - agreeing)
        / nullif(n_stances * (n_stances - 1) - same, 0) as alpha
from observed
join expected using (topic, is_all)
where n_stances > 0
order by topic
