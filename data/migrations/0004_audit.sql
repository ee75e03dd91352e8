-- What a gate looks at after a run.

-- One row per deliberation that any table names; every count that should be 0 is 0 in a sound store.
create view deliberation_audit as
with
sittings as (
    select deliberation_id, count(*) as n, any_value(batch_id) as batch_id,
        any_value(question_id) as question_id, any_value(finished_at) as finished_at
    from deliberations group by deliberation_id
),
decisions as (
    select deliberation_id, count(*) as n, any_value(status) as status,
        any_value(option) as option, any_value(confidence) as confidence
    from verdicts group by deliberation_id
),
said as (
    select deliberation_id, count(*) as n, count(distinct juror || round) as n_distinct,
        count(*) filter ((stance is null) = (abstain_reason is null)) as n_unclear,
        count(distinct juror) as n_jurors
    from opinions group by deliberation_id
),
weighed as (
    select deliberation_id, sum(share) as share_sum, cast(sum(votes) as bigint) as n_votes
    from ballots group by deliberation_id
),
unfounded as (
    select deliberation_id, count(*) as n
    from dissents anti join opinions using (deliberation_id, juror)
    group by deliberation_id
),
twice as (
    select deliberation_id, count(*) - count(distinct juror) as n
    from votes group by deliberation_id
)
select
    deliberation_id,                                                          -- deliberation
    sittings.batch_id,                                                        -- batch it belongs to
    coalesce(sittings.n, 0) as n_deliberations,                               -- rows in `deliberations`: 1
    coalesce(decisions.n, 0) as n_verdicts,                                   -- rows in `verdicts`: 1
    coalesce(said.n, 0) as n_opinions,                                        -- rows in `opinions`
    coalesce(said.n_jurors, 0) as n_jurors,                                   -- jurors with an opinion
    coalesce(said.n - said.n_distinct, 0) as n_double_opinions,               -- same juror and round again: 0
    coalesce(said.n_unclear, 0) as n_unclear_opinions,                        -- stance and reason both or neither: 0
    coalesce(weighed.n_votes, 0) as n_votes,                                  -- votes over all ballots
    coalesce(twice.n, 0) as n_double_votes,                                   -- same juror voting again: 0
    weighed.share_sum,                                                        -- shares added: 1, null without a ballot
    decisions.confidence,                                                     -- of the verdict, in (0, 1)
    coalesce(unfounded.n, 0) as n_unfounded_dissents,                         -- dissents of jurors without an opinion: 0
    coalesce(decisions.status not in ('hung', 'no_quorum'), false) as decided, -- whether the status claims a decision
    decisions.option is not null as has_option,                               -- whether there is an option: as `decided`
    sittings.question_id is not null and questions.question_id is null as is_orphan, -- question missing: false
    sittings.finished_at,                                                     -- when the verdict stood
from sittings
full join decisions using (deliberation_id)
full join said using (deliberation_id)
full join weighed using (deliberation_id)
left join unfounded using (deliberation_id)
left join twice using (deliberation_id)
left join questions on questions.question_id = sittings.question_id;
