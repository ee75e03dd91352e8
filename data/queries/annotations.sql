-- What did each juror say of each question before it heard the others, in crowd-kit's shape?
with
scoped as (
    from scope($since, $topic, $batch)
),
final as (
    select task, worker, label
    from annotations
    join scoped on scoped.deliberation_id = task
)
select * from final
order by task, worker
