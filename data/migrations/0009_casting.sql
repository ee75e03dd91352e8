-- Personas of the arena that the bouts speak for or against, and what a person made of it.

-- Casting rules that the bouts spoke for. One journal document of kind `persona_proposal` is one row.
create table persona_proposals (
    proposal_id varchar not null,     -- hash of the proposal
    persona varchar not null,         -- critic
    topic varchar not null,           -- topic; `*` for all
    casting varchar not null,         -- `always` or `never`
    replaces varchar,                 -- what the rule says that it would replace
    n bigint not null,                -- bouts that counted
    landed bigint not null,           -- of these weakened or overturned
    low double not null,              -- 2.5 % quantile of the share that lands
    high double not null,             -- 97.5 % quantile
    words varchar not null,           -- case for it
);

-- What people decided on them. One journal document of kind `persona_decision` is one row.
create table persona_decisions (
    decision_id varchar not null,     -- hash of the record
    proposal_id varchar not null,     -- proposal
    decision varchar not null,        -- `approved` or `dismissed`
    persona varchar not null,         -- critic
    topic varchar not null,           -- topic; `*` for all
    casting varchar not null,         -- `always` or `never`
    decided_by varchar not null,      -- who decided
    note varchar not null,            -- why, in words
    decided_at timestamptz not null,  -- when
);

-- Casting rules as they were written into SKILL.md. One journal document of kind `casting` is one row.
create table castings (
    persona varchar not null,         -- critic
    topic varchar not null,           -- topic; `*` for all
    casting varchar not null,         -- `always` or `never`
    evidence varchar not null,        -- what it was approved on
    approved_by varchar not null,     -- who approved it
    approved_at varchar not null,     -- day of approval, ISO
    replaced varchar,                 -- what the rule said that stood there before
    source varchar not null,          -- the way that it came in: `reflection` …
    written_at timestamptz not null,  -- when it was written
    skill_sha256 varchar not null,    -- hash of SKILL.md after it
);
