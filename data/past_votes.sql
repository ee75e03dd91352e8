-- Who said what, alone and after a debate, in the order in which it was said, and what was right?
-- A vote counts for the seat only where the seat's own endpoint gave it, and an opinion that was
-- used again only in a replay. A deliberation gives way to a replay of it, unless only it has an
-- outcome. After a debate the last opinion counts that was heard, as it does for the judge.
with
known as (
    select deliberation_id, topic, replay_of, finished_at, right_option,
        if(options_source in ('given', 'text') and len(options) > 0, len(options), null) as n_options
    from deliberations
    left join truths using (deliberation_id)
),
replayed as (
    select old.deliberation_id
    from known as old
    join known as new on new.replay_of = old.deliberation_id
    where new.right_option is not null or old.right_option is null
),
asked_elsewhere as (
    select deliberation_id, subject as juror from activations where kind = 'fallback'
),
own as (
    select deliberation_id, juror, round, stance, topic, right_option, n_options, finished_at,
        stance is not null or abstain_reason = 'declined' as is_heard,
        max(round) over (partition by deliberation_id) as rounds
    from opinions
    join known using (deliberation_id)
    anti join replayed using (deliberation_id)
    anti join asked_elsewhere using (deliberation_id, juror)
    where replay_of is not null or not list_contains(flags, 'reused')
),
alone as (
    select *, 'alone' as stage from own where round = 1
),
debated as (
    select *, 'debated' as stage
    from own
    where rounds > 1
    qualify row_number() over (
        partition by deliberation_id, juror order by is_heard desc, round desc
    ) = 1
),
final as (
    select deliberation_id, topic, juror, stance, right_option, n_options, stage, finished_at
    from (from alone union all from debated)
)
select deliberation_id, topic, juror, stance, right_option, n_options, stage
from final
order by finished_at, deliberation_id, stage, juror
