-- What became of delegated work, by child and status?
-- `share` is of the child's delegations; `share_delivered` of the files they wanted, how many passed.
-- With $topic or $batch only work that was done for a deliberation counts.
with
narrowed as (
    select deliberation_id from scope(null, $topic, $batch)
),
counted as (
    from delegations
    where (cast($since as timestamptz) is null or finished_at >= cast($since as timestamptz))
      and (
          coalesce(cast($topic as varchar), cast($batch as varchar)) is null
          or deliberation_id in (from narrowed)
      )
),
final as (
    select
        child,
        status,
        count(*) as n,
        count(*) / sum(count(*)) over (partition by child) as share,
        avg(attempts) as mean_attempts,
        sum(artifacts) / sum(deliverables) as share_delivered,
        avg(duration_ms) as mean_ms,
        cast(sum(tokens) as bigint) as tokens,
        sum(cost_usd) as cost_usd
    from counted
    group by child, status
)
select * from final
order by child, n desc, status
