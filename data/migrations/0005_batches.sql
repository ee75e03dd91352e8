-- What batches set out to do, and what the gates found.

-- Batches as they were begun. Their deliberations name them.
create table batches (
    batch_id varchar not null,        -- id within the home
    source varchar not null,          -- name of the file
    items integer not null,           -- questions in it
    roster varchar not null,          -- name of the roster
    reuse varchar not null,           -- within what earlier opinions were used again
    started_at timestamptz not null,  -- when it was begun
);

-- Runs of a gate over one frame.
create table gate_results (
    gate_id varchar not null,         -- id of the run
    gate varchar not null,            -- `batch_in`, `batch_out` or `store`
    batch_id varchar,                 -- batch that was judged; null for the whole store
    passed boolean not null,          -- whether every critical expectation held
    n_rows bigint not null,           -- rows of the frame
    ran_at timestamptz not null,      -- when it ran
);

-- Expectations of each run, one row each.
create table gate_checks (
    gate_id varchar not null,         -- run of the gate
    expectation varchar not null,     -- what was expected, in Great Expectations' words
    on_column varchar,                -- column that it is about; null for the table
    passed boolean not null,          -- whether it held
    severity varchar not null,        -- `critical` stops, `warning` tells
    unexpected bigint not null,       -- rows that broke it
    examples varchar[] not null,      -- keys of the first rows that broke it
    detail varchar not null,          -- what was observed
);
