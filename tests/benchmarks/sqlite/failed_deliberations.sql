with /*scope*/,
failing as (
    select deliberation_id, json_group_array(juror) as failed_jurors
    from (
        select distinct deliberation_id, juror
        from opinions
        where not exists (
            select 1 from votes
            where votes.deliberation_id = opinions.deliberation_id and votes.juror = opinions.juror
        )
        order by deliberation_id, juror
    )
    group by deliberation_id
)
select deliberation_id, scoped.finished_at, text, status, verdicts.seats, n_failed_seats,
    failed_jurors
from scoped
join verdicts using (deliberation_id)
join questions on questions.question_id = scoped.question_id
left join failing using (deliberation_id)
where (n_failed_seats > 0 or status = 'no_quorum')
  and deliberation_id not in (select replay_of from deliberations where replay_of is not null)
order by scoped.finished_at, deliberation_id
