with /*scope*/,
priced as materialized (
    select topic, costs.* from scoped join costs using (deliberation_id)
),
grouped as materialized (
    select * from priced
    union all
    select '*', deliberation_id, calls, prompt_tokens, completion_tokens, cost_usd, n_unpriced
    from priced
),
ranked as (
    select *,
        row_number() over (partition by topic order by cost_usd nulls last) - 1 as place,
        count(cost_usd) over (partition by topic) as n_priced
    from grouped
)
select topic, count(*) as n, sum(cost_usd), avg(cost_usd),
    sum(cost_usd * max(0, 1 - abs(place - 0.5 * (n_priced - 1)))),
    sum(cost_usd * max(0, 1 - abs(place - 0.9 * (n_priced - 1)))),
    sum(n_unpriced), avg(calls), avg(prompt_tokens), avg(completion_tokens)
from ranked
group by topic
order by topic
