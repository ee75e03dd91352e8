-- Which attempts at delegated work were made, newest first?
-- As the audit trail keeps them; `council audit verify` says whether the trail itself is whole.
with
final as (
    select
        ended_at,
        delegation_id,
        attempt,
        purpose,
        child,
        status,
        goal,
        notes,
        artifact_paths,
        artifact_sha256,
        tokens,
        cost_usd,
        deliberation_id
    from delegation_attempts
    where (cast($since as timestamptz) is null or ended_at >= cast($since as timestamptz))
      and (cast($status as varchar) is null or status = cast($status as varchar))
)
select * from final
order by ended_at desc, delegation_id, attempt desc
