-- Arenas of Hyde: verdicts attacked, bout by bout. An arena within a deliberation comes with its
-- document; one held later over a kept verdict is a journal document of kind `arena`, and the
-- ratings of a refit are one of kind `ratings`.

-- Arenas, each over one verdict of the judge.
create table arenas (
    arena_id varchar not null,        -- id of the deliberation, or of the arena where it was held later
    deliberation_id varchar not null, -- deliberation whose verdict was attacked
    status_before varchar not null,   -- status as the judge gave it
    option_before varchar not null,   -- option that was attacked
    confidence_before double not null, -- of the judge
    status_after varchar not null,    -- status after the bouts, and after a reopened round
    option_after varchar,             -- option after them; null when the reopened round left none
    confidence_after double not null, -- confidence after the bouts, before a reopened round
    bouts integer not null,           -- bouts held
    upheld integer not null,          -- attacks that the verdict survived
    weakened integer not null,        -- attacks that weakened it
    overturned integer not null,      -- attacks that it did not survive
    draws integer not null,           -- bouts in which the scorers could not tell
    void integer not null,            -- bouts that do not count
    worst_severity integer not null,  -- of the attacks that landed, 1 to 5; 0 when none did
    reopened boolean not null,        -- whether the jurors answered again
    calls integer not null,           -- requests made for it, the reopened round included
    prompt_tokens bigint,             -- tokens read, where counted
    completion_tokens bigint,         -- tokens written, where counted
    cost_usd double,                  -- US dollars, of the calls with a price
    n_unpriced integer not null,      -- calls without a price
    held_at timestamptz not null,     -- when it ended
);

-- Bouts: one persona's attack, and what became of it.
create table bouts (
    bout_id varchar not null,         -- id of the bout
    arena_id varchar not null,        -- arena it belongs to
    deliberation_id varchar not null, -- deliberation whose verdict was attacked
    persona varchar not null,         -- critic that attacked
    topic varchar not null,           -- topic of the question
    round integer not null,           -- 1, or more where the personas attacked again
    option varchar not null,          -- option that was attacked
    outcome varchar,                  -- `upheld`, `weakened`, `overturned` or `draw`; null when void
    void_reason varchar,              -- why it does not count
    severity integer,                 -- of an attack that landed, as it was scored, 1 to 5
    self_scored boolean not null,     -- scored by the attacker, for want of seats
    attacker varchar,                 -- seat that attacked; null when it was not heard
    claim varchar,                    -- the attack
    assumption varchar,               -- what it says the verdict takes for granted
    stated_severity integer,          -- as the attacker states it, 1 to 5
    attack_option varchar,            -- what it would choose instead
    rebutter varchar,                 -- seat that answered; null when none did
    answer varchar,                   -- the rebuttal as it was scored
    struck_reason varchar,            -- why the seat's own rebuttal was struck out
    scorers integer not null,         -- seats that scored it
    calls integer not null,           -- requests made
    cost_usd double,                  -- US dollars, of the calls with a price
    simulated boolean not null,       -- whether a stand-in took part
);

-- Readings of bouts: one per scorer and order of the sides.
create table bout_scores (
    bout_id varchar not null,         -- bout that was scored
    deliberation_id varchar not null, -- deliberation it is about
    juror varchar not null,           -- seat that scored
    attack_side varchar not null,     -- `A` when the attack was shown first, else `B`
    picked varchar,                   -- `A`, `B` or `neither`; null when it does not count
    stronger varchar,                 -- the same as `attack`, `rebuttal` or `neither`
    weight integer,                   -- how much the better side's point counts, 1 to 5
    reason varchar not null,          -- why, in its words
    fault varchar,                    -- why it does not count
    latency_ms double not null,       -- time to the answer in milliseconds
);

-- Strengths of personas, attackers and rebutters (Bradley–Terry), as each refit found them.
create table ratings (
    computed_at timestamptz not null, -- when the refit ran
    role varchar not null,            -- `persona`, `attacker` or `rebutter`
    subject varchar not null,         -- name of the persona or seat
    strength double not null,         -- in nats, 0 on average
    low double not null,              -- 2.5 % quantile
    high double not null,             -- 97.5 % quantile
    n integer not null,               -- bouts that counted
    won integer not null,             -- of these won
    drawn integer not null,           -- of these drawn
);
