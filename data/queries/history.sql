-- What was decided lately?
-- The latest first, a thousand unless another limit is asked for.
with
scoped as (
    from scope($since, $topic, $batch)
),
final as (
    select
        deliberation_id,
        scoped.finished_at,
        text as question,
        status,
        option,
        split,
        confidence,
        scoped.topic,
        simulated
    from scoped
    join verdicts using (deliberation_id)
    join questions using (question_id)
)
select * from final
order by finished_at desc, deliberation_id
limit coalesce(cast($limit as bigint), 1000)
