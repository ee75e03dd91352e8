-- What was asked, said and decided. One journal document of kind `deliberation` fills these tables.

-- The documents of the journal that this database holds, once each.
create table documents (
    kind varchar not null,            -- `deliberation`, `outcome` …
    document_id varchar not null,     -- id within its kind
    schema_number integer not null,   -- form that the document was written in
    document_sha256 varchar not null, -- hash of its bytes in the journal
    body json,                        -- the record itself, where no table of its own holds it
);

-- Questions, each once, by what makes it the question that it is.
create table questions (
    question_id varchar not null,     -- SHA-256 of text, options, topic and context
    text varchar not null,            -- what was asked
    topic varchar not null,           -- topic it belongs to
    options varchar[] not null,       -- options that the question itself gives; empty when open
    context_sha256 varchar,           -- hash of the material given with it
    context_chars integer not null,   -- length of that material in characters
);

-- Sittings of the council over one question.
create table deliberations (
    deliberation_id varchar not null, -- id given when it began
    question_id varchar not null,     -- question it was over
    topic varchar not null,           -- topic of the question
    options varchar[] not null,       -- options in letter order, a slate from round 1 included
    options_source varchar not null,  -- `given`, `text`, `slate` or `open`
    tags varchar[] not null,          -- free words given with the question
    roster varchar not null,          -- name of the roster
    seats integer not null,           -- jurors on the roster
    quorum integer not null,          -- stances that were needed at least
    debate boolean not null,          -- whether a split was to be debated
    engine varchar not null,          -- `direct` or `prefect`
    flow_run_id varchar,              -- run in the dashboard
    batch_id varchar,                 -- batch it belongs to
    replay_of varchar,                -- deliberation that it asked again
    foreman_text varchar not null,    -- verdict in words
    schema_number integer not null,   -- form that the document was written in
    started_at timestamptz not null,  -- when the question was put
    finished_at timestamptz not null, -- when the verdict stood
    duration_ms double not null,      -- from the one to the other, in milliseconds
);

-- What one juror said in one round. The reply as it came stays in the journal (`council show`).
create table opinions (
    deliberation_id varchar not null, -- deliberation it was said in
    juror varchar not null,           -- seat that said it
    round integer not null,           -- 1 isolated, 2 after reading the others, 3 reopened
    stance varchar,                   -- option endorsed, or `other`; null for an abstention
    stance_reading varchar,           -- how the stance was read: `explicit`, `alias` …
    abstain_reason varchar,           -- why there is no stance; null exactly when there is one
    abstain_detail varchar,           -- the cause in words
    position varchar,                 -- answer in the juror's own words
    reasons varchar[] not null,       -- its reasons, in its order
    confidence double,                -- as the juror states it, 0 to 1; not a probability
    changed_by varchar,               -- round 2: argument that moved it, in its own words
    flags varchar[] not null,         -- `truncated`, `repaired`, `partial_evidence` …
    provider varchar,                 -- provider that the seat names
    via varchar not null,             -- provider that answered; empty when none did
    model varchar not null,           -- model that answered
    family varchar not null,          -- family of models it belongs to
    locality varchar,                 -- `hosted` or `local`
    provider_version varchar,         -- version of the program behind the provider
    session_id varchar,               -- session at the provider
    simulated boolean not null,       -- true for the stand-in: no model was asked
    prompt_sha256 varchar not null,   -- hash of the prompt
    prompt_tokens bigint,             -- tokens read, as the provider counts
    completion_tokens bigint,         -- tokens written
    cost_usd double,                  -- price in US dollars; null where the provider does not say
    latency_ms double not null,       -- time to the answer in milliseconds
    calls integer not null,           -- requests made: 1, or 2 with the repair request
    raw_chars integer not null,       -- length of the reply as it came, in characters
);

-- Verdicts, one per deliberation.
create table verdicts (
    deliberation_id varchar not null, -- deliberation it ended
    status varchar not null,          -- `unanimous`, `majority`, `plurality`, `hung`, `no_quorum`, `contested`
    option varchar,                   -- option decided for; null when hung or without quorum
    split varchar not null,           -- jurors per camp, largest first: `2–1`
    confidence double not null,       -- probability that the option is right, in (0, 1)
    calibrated boolean not null,      -- whether recorded outcomes shaped the confidence
    basis varchar not null,           -- what the confidence rests on, in words
    n_outcomes integer not null,      -- outcomes behind the calibration
    seats integer not null,           -- jurors that were asked
    n_failed_seats integer not null,  -- seats without an opinion
    n_dissents integer not null,      -- jurors that did not go along
    n_changed_minds integer not null, -- jurors that left their first stance
    effective_jurors double,          -- independent jurors that the counted ones amount to
    rules_applied varchar[] not null, -- rules that took part: `juror | topic | weight`
    precedents varchar[] not null,    -- ids of earlier deliberations that were weighed
    warnings varchar[] not null,      -- what a reader must know
    simulated boolean not null,       -- true when a counted opinion came from the stand-in
    status_before varchar,            -- the same four before the debate, where there was one
    option_before varchar,            -- option decided for before the debate
    split_before varchar,             -- split before the debate
    confidence_before double,         -- confidence before the debate
    memory_sha256 varchar not null,   -- hash of what the judge knew of the past
    policy_sha256 varchar not null,   -- hash of the rules of the house
);

-- Options with their weight, one row per option that got a vote.
create table ballots (
    deliberation_id varchar not null, -- deliberation
    option varchar not null,          -- option, or `other`
    votes integer not null,           -- jurors in this camp
    weight double not null,           -- sum of their weights
    share double not null,            -- of all weight that was cast, 0 to 1
);

-- Final stance of each juror with its weight, one row per juror that took one.
create table votes (
    deliberation_id varchar not null, -- deliberation
    juror varchar not null,           -- seat
    option varchar not null,          -- its final stance
    weight double not null,           -- what its vote weighed
    why varchar not null,             -- why it weighed that much
);

-- Jurors that did not go along with the verdict.
create table dissents (
    deliberation_id varchar not null, -- deliberation
    juror varchar not null,           -- seat
    option varchar not null,          -- what it held instead
    reason varchar not null,          -- its lead reason on one line
    reading varchar not null,         -- how its stance was read
);

-- Jurors whose stance after the debate is not the one before.
create table changed_minds (
    deliberation_id varchar not null, -- deliberation
    juror varchar not null,           -- seat
    stance_before varchar not null,   -- stance in round 1
    stance_after varchar not null,    -- stance it ended with
    moved_by varchar not null,        -- argument that moved it; empty when it named none
);

-- Who or what took part beside the jurors, and what it changed.
create table activations (
    deliberation_id varchar not null, -- deliberation
    place integer not null,           -- position in the order in which they took part, from 1
    kind varchar not null,            -- `rule`, `skill`, `persona`, `precedent`, `debate`, `fallback` …
    subject varchar not null,         -- who or what acted
    effect varchar not null,          -- what it changed, in words
    turned boolean not null,          -- whether the verdict would have been another without it
);

-- Rules that multiplied a juror's weight in a deliberation.
create table applied_rules (
    deliberation_id varchar not null, -- deliberation
    juror varchar not null,           -- seat it weighs
    topic varchar not null,           -- topic it holds for; `*` for all
    weight double not null,           -- multiplier, in (0, 5]
    evidence varchar not null,        -- what it was approved on
    approved_by varchar not null,     -- person who approved it
    approved_at varchar not null,     -- day of approval, ISO
);
