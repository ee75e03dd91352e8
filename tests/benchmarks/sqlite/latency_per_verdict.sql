with /*scope*/,
slowest as (
    select deliberation_id, max(latency_ms) as slowest_ms from opinions group by deliberation_id
),
timed as materialized (
    select topic, duration_ms, slowest_ms from scoped join slowest using (deliberation_id)
),
grouped as materialized (
    select topic, duration_ms, slowest_ms from timed
    union all
    select '*', duration_ms, slowest_ms from timed
),
ranked as materialized (
    select topic, duration_ms, slowest_ms,
        row_number() over (partition by topic order by duration_ms) - 1 as place,
        row_number() over (partition by topic order by slowest_ms) - 1 as slow_place,
        count(*) over (partition by topic) as n
    from grouped
)
select topic, max(n) as n,
    sum(duration_ms * max(0, 1 - abs(place - 0.5 * (n - 1)))),
    sum(duration_ms * max(0, 1 - abs(place - 0.9 * (n - 1)))),
    sum(duration_ms * max(0, 1 - abs(place - 0.99 * (n - 1)))),
    sum(slowest_ms * max(0, 1 - abs(slow_place - 0.5 * (n - 1))))
from ranked
group by topic
order by topic
