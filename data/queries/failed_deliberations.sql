-- Which deliberations have seats that failed, or no quorum, and were not replayed yet?
with
scoped as (
    from scope($since, $topic, $batch)
),
failing as (
    select deliberation_id, list(distinct juror order by juror) as failed_jurors
    from opinions
    anti join votes using (deliberation_id, juror)
    group by deliberation_id
),
final as (
    select
        deliberation_id,
        scoped.finished_at,
        text as question,
        status,
        verdicts.seats,
        n_failed_seats,
        failed_jurors
    from scoped
    join verdicts using (deliberation_id)
    join questions using (question_id)
    left join failing using (deliberation_id)
    where (n_failed_seats > 0 or status = 'no_quorum')
      and deliberation_id not in (
          select replay_of from deliberations where replay_of is not null
      )
)
select * from final
order by finished_at, deliberation_id
