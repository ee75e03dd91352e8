-- What a verdict costs, all in all: its arenas too, and nothing twice.

drop view costs;

-- What each deliberation cost: its opinions, but for those heard earlier, and its arenas.
create view costs as
with asked as (
    select
        deliberation_id,
        latency_ms,
        -- An opinion heard earlier was paid for earlier; one of a reopened round is its arena's.
        list_contains(flags, 'reused') as is_free,
        round < 3 and not is_free as is_paid,
        if(is_paid, calls, 0) as calls,
        if(is_paid, prompt_tokens, null) as prompt_tokens,
        if(is_paid, completion_tokens, null) as completion_tokens,
        case when is_free then 0 when is_paid then cost_usd end as cost_usd,
        if(is_paid and cost_usd is null, 1, 0) as n_unpriced
    from opinions
),
parts as (
    select 1 as n, * exclude (is_free, is_paid) from asked
    union all by name
    select 0 as n, deliberation_id, calls, prompt_tokens, completion_tokens, cost_usd, n_unpriced
    from arenas
)
select
    deliberation_id,                                              -- deliberation
    sum(n)::bigint as opinions,                                   -- opinions given
    sum(calls)::bigint as calls,                                  -- requests made, those of arenas included
    sum(prompt_tokens)::bigint as prompt_tokens,                  -- tokens read, where counted
    sum(completion_tokens)::bigint as completion_tokens,          -- tokens written, where counted
    sum(cost_usd) as cost_usd,                                    -- US dollars, of what has a price
    sum(n_unpriced)::bigint as n_unpriced,                        -- opinions, and calls of arenas, without a price
    sum(latency_ms) as model_ms,                                  -- time of the opinions added, in milliseconds
    max(latency_ms) as slowest_ms,                                -- time of the slowest opinion
from parts
group by deliberation_id;
