-- Which checks of delegated work fail most?
-- One row per child and check; `example` is the newest sentence about a failure. With $topic or
-- $batch only work that was done for a deliberation counts.
with
narrowed as (
    select deliberation_id from scope(null, $topic, $batch)
),
counted as (
    select child, check_name, passed, sentence, finished_at, attempt
    from delegation_checks
    join delegations using (delegation_id)
    where (cast($since as timestamptz) is null or finished_at >= cast($since as timestamptz))
      and (
          coalesce(cast($topic as varchar), cast($batch as varchar)) is null
          or deliberation_id in (from narrowed)
      )
),
final as (
    select
        child,
        check_name,
        count(*) as n,
        count(*) filter (where not passed) as n_failed,
        count(*) filter (where not passed) / count(*) as share_failed,
        arg_max(sentence, (finished_at, attempt)) filter (where not passed) as example
    from counted
    group by child, check_name
)
select * from final
where n_failed > 0
order by n_failed desc, share_failed desc, child, check_name
