-- rebuild
-- Work given away. A delegation that ended is one journal document of kind `delegation`, each of its
-- attempts one of kind `audit`: an attempt is kept also when the council died before the end.

-- Contracts, each from its start to its end.
create table delegations (
    delegation_id varchar not null,     -- id given when it began
    purpose varchar not null,           -- `evidence`, `action` or `alone`
    deliberation_id varchar,            -- deliberation it was for; null when it stood alone
    parent_session varchar,             -- session that gave the work away, where there was one
    goal varchar not null,              -- what was wanted
    contract_sha256 varchar not null,   -- hash of the whole contract
    risk varchar not null,              -- `low`, `medium` or `high`, as the contract says
    on_fail varchar not null,           -- `partial`, `escalate` or `fail`, as the contract says
    child varchar not null,             -- who did it: `command`, `hermes`, `stand-in` …
    status varchar not null,            -- `accepted`, `partial`, `escalated` or `failed`
    attempts integer not null,          -- attempts made
    deliverables integer not null,      -- files wanted
    artifacts integer not null,         -- files that passed and may be used
    notes varchar[] not null,           -- what a reader must know: what is missing, what failed
    tokens bigint,                      -- tokens of all attempts, where a child said
    cost_usd double,                    -- US dollars of all attempts, where a child said
    simulated boolean not null,         -- whether the stand-in did it
    started_at timestamptz not null,    -- when it began
    finished_at timestamptz not null,   -- when it ended
    duration_ms double not null,        -- from start to end in milliseconds
);

-- Attempts, as the audit trail keeps them.
create table delegation_attempts (
    delegation_id varchar not null,     -- delegation it belongs to
    attempt integer not null,           -- 1 for the first
    purpose varchar not null,           -- `evidence`, `action` or `alone`
    deliberation_id varchar,            -- deliberation it was for; null when it stood alone
    parent_session varchar,             -- session that gave the work away, where there was one
    child varchar not null,             -- who was given the work
    child_session varchar,              -- its session, where it has one
    goal varchar not null,              -- what was wanted, its first 500 characters
    deliverables varchar[] not null,    -- paths of the files wanted
    status varchar not null,            -- what followed: `accept`, `retry_with_notes`, `partial` …
    notes varchar[] not null,           -- what was wrong
    reply_chars integer not null,       -- length of what the child said, before the cap
    tokens bigint,                      -- tokens of the child and of its own children
    cost_usd double,                    -- US dollars, where the child said
    artifact_paths varchar[] not null,  -- files of this attempt that passed
    artifact_sha256 varchar[] not null, -- their hashes, in the same order
    ended_at timestamptz not null,      -- when it ended
);

-- What each check found after each attempt.
create table delegation_checks (
    delegation_id varchar not null,     -- delegation it belongs to
    attempt integer not null,           -- attempt it was made after
    check_name varchar not null,        -- a contract's check, or `delivered`, `child_finished` …
    path varchar,                       -- file it is about; null for the whole work
    passed boolean not null,            -- whether it was met
    expected varchar not null,          -- what was expected
    found varchar not null,             -- what was found
    sentence varchar not null,          -- both in words, as the child was told
    recoverable boolean not null,       -- whether a child may try again after it
);
