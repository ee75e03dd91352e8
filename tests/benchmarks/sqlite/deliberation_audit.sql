with
decisions as (
    select deliberation_id, count(*) as n, max(status) as status, max(option) as option,
        max(confidence) as confidence
    from verdicts
    group by deliberation_id
),
said as (
    select deliberation_id, sum(k) as n, count(*) as n_distinct, count(distinct juror) as n_jurors,
        sum(n_unclear) as n_unclear
    from (
        select deliberation_id, juror, round, count(*) as k,
            sum((stance is null) = (abstain_reason is null)) as n_unclear
        from opinions
        group by deliberation_id, juror, round
    )
    group by deliberation_id
),
weighed as (
    select deliberation_id, sum(share) as share_sum, sum(votes) as n_votes
    from ballots
    group by deliberation_id
),
unfounded as (
    select deliberation_id, count(*) as n
    from dissents
    where not exists (
        select 1 from opinions
        where opinions.deliberation_id = dissents.deliberation_id
          and opinions.juror = dissents.juror
    )
    group by deliberation_id
),
twice as (
    select deliberation_id, count(*) - count(distinct juror) as n from votes group by deliberation_id
)
select deliberation_id, deliberations.batch_id, 1, coalesce(decisions.n, 0), coalesce(said.n, 0),
    coalesce(said.n_jurors, 0), coalesce(said.n - said.n_distinct, 0), coalesce(n_unclear, 0),
    coalesce(n_votes, 0), coalesce(twice.n, 0), share_sum, decisions.confidence,
    coalesce(unfounded.n, 0), coalesce(status not in ('hung', 'no_quorum'), 0),
    decisions.option is not null, questions.question_id is null, deliberations.finished_at
from deliberations
left join decisions using (deliberation_id)
left join said using (deliberation_id)
left join weighed using (deliberation_id)
left join unfounded using (deliberation_id)
left join twice using (deliberation_id)
left join questions on questions.question_id = deliberations.question_id
where (:since is null or deliberations.finished_at >= :since)
  and (:batch is null or deliberations.batch_id = :batch)
order by deliberation_id
