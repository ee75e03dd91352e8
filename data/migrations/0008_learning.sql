-- What was learned from outcomes, and the rules that were proposed, decided on and written.

-- Beta posteriors of jurors being right. One journal document of kind `refit` fills these tables.
create table reliability (
    memory_id varchar not null,       -- learning that it is from
    learned_at timestamptz not null,  -- when that was first made
    stage varchar not null,           -- `alone` before the others were read, `debated` after
    juror varchar not null,           -- seat
    topic varchar not null,           -- topic; `*` for all of them
    n_right bigint not null,          -- right answers that are known
    answered bigint not null,         -- answers of which it is known what was right
    mean double not null,             -- posterior mean, shrunk: topic to juror, juror to roster
    low double not null,              -- 2.5 % quantile
    high double not null,             -- 97.5 % quantile
);

-- Calibrators of the confidence, one row a stage.
create table calibrations (
    memory_id varchar not null,       -- learning that it is from
    learned_at timestamptz not null,  -- when that was first made
    source varchar not null,          -- `outcomes`, or `agreement` while nothing has turned out
    stage varchar not null,           -- `alone` or `debated`
    n_outcomes bigint not null,       -- outcomes behind it
    kind varchar not null,            -- `none`, `platt`, `isotonic` or `context`
    log_loss double,                  -- cross-validated, in nats; null below 30 outcomes
    log_loss_uncalibrated double,     -- the same without calibration
    roster_rate double not null,      -- share of all votes that were right, smoothed
    mean_overlap double not null,     -- mean error correlation of two jurors
);

-- Jurors that changed: only what they said since counts.
create table drifts (
    memory_id varchar not null,       -- learning that it is from
    juror varchar not null,           -- seat
    since_deliberation_id varchar not null,   -- first deliberation after the change
    noticed_deliberation_id varchar not null, -- deliberation whose outcome raised the alarm
    before double not null,           -- share of right answers before
    n_before bigint not null,         -- answers before
    n_right bigint not null,          -- right answers since
    answered bigint not null,         -- answers since
);

-- Rules that the evidence spoke for. One journal document of kind `rule_proposal` is one row.
create table rule_proposals (
    proposal_id varchar not null,     -- hash of the proposal
    juror varchar not null,           -- seat
    topic varchar not null,           -- topic
    weight double not null,           -- proposed multiplier, in (0, 5]
    replaces double,                  -- multiplier of the rule that it would replace
    basis varchar not null,           -- `outcomes` or `dissents`
    n_dissents bigint not null,       -- questions on which the juror did not go along
    answered bigint not null,         -- votes of which it is known what was right
    n_right bigint not null,          -- of these right
    others_right double not null,     -- mean share of the others right on the same questions, summed
    n_replayed bigint not null,       -- past verdicts that were judged again under the rule
    n_turned bigint not null,         -- of these another one
    n_better bigint not null,         -- of these wrong before and right after
    n_worse bigint not null,          -- of these right before and wrong after
    evidence varchar[] not null,      -- keys of its rows: deliberation and outcome
    expires_at timestamptz not null,  -- until when it could be approved
    words varchar not null,           -- case for it
);

-- What people decided on proposals. One journal document of kind `rule_decision` is one row.
create table rule_decisions (
    decision_id varchar not null,     -- hash of the record
    proposal_id varchar not null,     -- proposal
    decision varchar not null,        -- `approved` or `dismissed`
    juror varchar not null,           -- seat
    topic varchar not null,           -- topic
    weight double not null,           -- proposed multiplier
    decided_by varchar not null,      -- who decided
    note varchar not null,            -- why, in words
    decided_at timestamptz not null,  -- when
);

-- Rules as they were written into SKILL.md. One journal document of kind `rule` is one row.
create table rules (
    juror varchar not null,           -- seat
    topic varchar not null,           -- topic; `*` for all
    weight double not null,           -- multiplier, in (0, 5]
    evidence varchar not null,        -- what it was approved on
    approved_by varchar not null,     -- who approved it
    approved_at varchar not null,     -- day of approval, ISO
    replaced_weight double,           -- multiplier of the rule that stood there before
    source varchar not null,          -- the way that it came in: `learn`, `reflection` …
    written_at timestamptz not null,  -- when it was written
    skill_sha256 varchar not null,    -- hash of SKILL.md after it
);
