-- Deliberations of twelve jurors over two rounds, made by arithmetic on hashes: the same every time.
-- `n` deliberations are 24 n opinions. Jurors of a family share a third of their judgment; each is as
-- good as its number; a seventh of them move to the majority; three in a hundred seats stay silent.

create temp macro dice(a, b, c) as (hash(a, b, c) % 1000003) / 1000003.0;

create temp table sittings as
with
sets as (
    select
        i,
        case i % 3
            when 0 then ['yes', 'no']
            when 1 then ['Postgres', 'MongoDB', 'SQLite']
            else ['approve', 'reject', 'defer', 'ask again']
        end as options
    from range(getvariable('n')) as t(i)
)
select
    i,
    format('{:08d}', i) as deliberation_id,
    md5(cast(i % 30000 as varchar)) as question_id,
    format('topic {:02d}', i % 40) as topic,
    options,
    options[1 + cast(hash(i, 'truth') % len(options) as integer)] as truth,
    timestamptz '2025-01-06 00:00:00+00' + to_seconds(i * 720) as started_at,
    started_at + to_milliseconds(800 + cast(hash(i, 'took') % 9000 as integer)) as finished_at
from sets;

create temp table firsts as
select
    i,
    j,
    truth,
    options,
    case
        when dice(i, j, 'silent') < 0.03 then null
        when dice(i, j, 'odd') < 0.02 then 'other'
        when dice(i, j, 'family') < 0.33 then
            if(dice(i, j // 3, 'right') < 0.65, truth, options[1 + (i + j // 3) % len(options)])
        when dice(i, j, 'right') < 0.5 + 0.03 * j then truth
        else options[1 + cast(hash(i, j) % len(options) as integer)]
    end as stance
from sittings, range(12) as t(j);

create temp table seconds as
with majorities as (
    select i, mode(stance order by stance) filter (where stance <> 'other') as leader from firsts group by i
)
select
    i,
    j,
    truth,
    if(stance is not null and dice(i, j, 'moves') < 0.15, coalesce(leader, stance), stance) as stance
from firsts join majorities using (i);

insert into questions by name
select distinct on (question_id)
    question_id,
    'Of the ways to handle case ' || (i % 30000) || ', which should the team take next quarter?'
        as text,
    topic,
    options,
    0 as context_chars
from sittings order by question_id, i;

insert into deliberations by name
select
    deliberation_id, question_id, topic, options, 'given' as options_source,
    ['benchmark'] as tags, 'default' as roster, 12 as seats, 2 as quorum, true as debate,
    'direct' as engine, format('batch {:03d}', i // 1000) as batch_id,
    if(i % 200 = 199, format('{:08d}', i - 50), null) as replay_of,
    'The council decided by majority.' as foreman_text, 1 as schema_number,
    started_at, finished_at, epoch_ms(finished_at - started_at) as duration_ms
from (select *, finished_at from sittings);

insert into opinions by name
with spoken as (
    select i, j, 1 as round, stance from firsts
    union all
    select i, j, 2, stance from seconds
)
select
    format('{:08d}', i) as deliberation_id,
    format('juror {:02d}', j) as juror,
    round,
    stance,
    if(stance is null, null, 'explicit') as stance_reading,
    case when stance is null then ['timeout', 'rate_limited', 'unreadable'][1 + (i + j) % 3] end
        as abstain_reason,
    'I would take ' || stance || ', since the costs of case ' || i || ' weigh more than its risks.'
        as position,
    [
        'It is the cheaper way over ' || (hash(i, j) % 48) || ' months.',
        'The team has done it ' || (hash(j, i) % 9) || ' times before.'
    ] as reasons,
    round(dice(i, j, 'sure'), 2) as confidence,
    cast([] as varchar[]) as flags,
    ['openai_compatible', 'local', 'hermes'][1 + j % 3] as provider,
    if(stance is null, '', provider) as via,
    'model ' || j as model,
    'family ' || (j // 3) as family,
    if(j % 3 = 1, 'local', 'hosted') as locality,
    false as simulated,
    md5(i || ' ' || round) as prompt_sha256,
    400 + hash(i, j, round) % 900 as prompt_tokens,
    80 + hash(round, j, i) % 300 as completion_tokens,
    if(j % 3 = 1, null, round(dice(i, j, round) / 100, 6)) as cost_usd,
    200 + round(4000 * dice(j, i, round), 1) as latency_ms,
    1 as calls,
    300 as raw_chars
from spoken;

insert into ballots by name
select
    format('{:08d}', i) as deliberation_id,
    stance as option,
    count(*) as votes,
    votes as weight,
    votes / sum(votes) over (partition by i) as share
from seconds where stance is not null group by i, stance;

insert into votes by name
select
    format('{:08d}', i) as deliberation_id,
    format('juror {:02d}', j) as juror,
    stance as option,
    1 as weight,
    'equal weight: no outcomes yet' as why
from seconds where stance is not null;

insert into verdicts by name
with
tallies as (
    select
        i,
        any_value(truth) as truth,
        mode(stance order by stance) filter (where stance <> 'other') as leader,
        count(*) filter (where stance is null) as n_failed,
        count(*) as n
    from seconds group by i
),
before as (
    select i, mode(stance order by stance) filter (where stance <> 'other') as leader from firsts group by i
),
behind as (
    select deliberation_id, option, votes from ballots
),
moved as (
    select i, count(*) as n from firsts join seconds using (i, j)
    where firsts.stance is distinct from seconds.stance group by i
)
select
    deliberation_id,
    if(votes = 12, 'unanimous', if(votes > 6, 'majority', 'plurality')) as status,
    tallies.leader as option,
    votes || '–' || (12 - votes) as split,
    least(0.97, (votes + 1) / 14 + 0.2 * dice(tallies.i, 'sure', 0)) as confidence,
    false as calibrated,
    'smoothed share of the votes' as basis,
    0 as n_outcomes,
    12 as seats,
    n_failed as n_failed_seats,
    12 - n_failed - votes as n_dissents,
    coalesce(moved.n, 0) as n_changed_minds,
    cast([] as varchar[]) as rules_applied,
    cast([] as varchar[]) as precedents,
    cast([] as varchar[]) as warnings,
    false as simulated,
    'majority' as status_before,
    before.leader as option_before,
    '7–5' as split_before,
    0.6 as confidence_before,
    md5('memory') as memory_sha256,
    md5('policy') as policy_sha256
from tallies
join before using (i)
join behind on deliberation_id = format('{:08d}', tallies.i) and option = tallies.leader
left join moved on moved.i = tallies.i;

insert into dissents by name
select deliberation_id, juror, votes.option, 'It is the cheaper way.' as reason,
    'explicit' as reading
from votes join verdicts using (deliberation_id) where votes.option <> verdicts.option;

insert into changed_minds by name
select
    format('{:08d}', i) as deliberation_id,
    format('juror {:02d}', j) as juror,
    firsts.stance as stance_before,
    seconds.stance as stance_after,
    'the costs' as moved_by
from firsts join seconds using (i, j) where firsts.stance <> seconds.stance;

insert into activations by name
select deliberation_id, 1 as place, 'skill' as kind, 'council' as subject, 'was read' as effect,
    false as turned from sittings
union all
select deliberation_id, 2, 'debate', 'round 2', 'was held', dice(i, 'debate', 0) < 0.1 from sittings
union all
select deliberation_id, 3, 'rule', format('juror {:02d} | * | 1.5', i % 12), 'was applied',
    dice(i, 'rule', 0) < 0.03 from sittings where i % 10 = 0
union all
select deliberation_id, 4, 'fallback', format('juror {:02d}', i % 12), 'timeout', false
from sittings where i % 20 = 7;

insert into outcomes by name
select
    md5(deliberation_id) as outcome_id,
    deliberation_id,
    truth as right_option,
    'benchmark' as recorded_by,
    '' as note,
    finished_at + interval 7 days as recorded_at
from sittings where i % 2 = 0;
