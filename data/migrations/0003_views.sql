-- Views and functions that the named queries and the gates share.

-- Lower bound of the Wilson score interval at 95 % for `k` of `n` (Wilson 1927); null for n = 0.
create macro wilson_low(k, n) as case when n > 0 then greatest(0.0,
    (k + 1.9207294103 - 1.9599639845 * sqrt(k * (n - k) / n + 0.9603647052)) / (n + 3.8414588207)
) end;

-- Upper bound of the same interval.
create macro wilson_high(k, n) as case when n > 0 then least(1.0,
    (k + 1.9207294103 + 1.9599639845 * sqrt(k * (n - k) / n + 0.9603647052)) / (n + 3.8414588207)
) end;

-- Deliberations that finished at `since_at` or later, on `one_topic`, in `one_batch`; null means all.
create macro scope(since_at, one_topic, one_batch) as table
    select deliberation_id, question_id, topic, options, finished_at, duration_ms, seats
    from deliberations
    where (cast(since_at as timestamptz) is null or finished_at >= cast(since_at as timestamptz))
      and (cast(one_topic as varchar) is null or topic = cast(one_topic as varchar))
      and (cast(one_batch as varchar) is null or batch_id = cast(one_batch as varchar));

-- Isolated opinions in the shape that crowd-kit aggregates: who said what of which task.
create view annotations as
select
    deliberation_id as task, -- deliberation
    juror as worker,         -- seat
    stance as label,         -- its stance in round 1
from opinions
where round = 1 and stance is not null;

-- What each deliberation cost, over all its opinions.
create view costs as
select
    deliberation_id,                                          -- deliberation
    count(*) as opinions,                                     -- opinions asked for
    cast(sum(calls) as bigint) as calls,  -- requests made
    cast(sum(prompt_tokens) as bigint) as prompt_tokens,  -- tokens read, where counted
    cast(sum(completion_tokens) as bigint) as completion_tokens,  -- tokens written, where counted
    sum(cost_usd) as cost_usd,                                -- US dollars, of the opinions with a price
    count(*) filter (where cost_usd is null) as n_unpriced,   -- opinions without a price
    sum(latency_ms) as model_ms,                              -- time of all calls added, in milliseconds
    max(latency_ms) as slowest_ms,                            -- time of the slowest opinion
from opinions
group by deliberation_id;
