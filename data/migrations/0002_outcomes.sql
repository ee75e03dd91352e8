-- What turned out to be right. One journal document of kind `outcome` is one row.

-- Outcomes as they were recorded; a later one corrects an earlier one.
create table outcomes (
    outcome_id varchar not null,      -- SHA-256 of the record
    deliberation_id varchar not null, -- deliberation it is about
    right_option varchar not null,    -- option that turned out right, or `other` for none of them
    recorded_by varchar not null,     -- who says so
    note varchar not null,            -- how it is known
    recorded_at timestamptz not null, -- when it was recorded
);

-- The outcome that holds for each deliberation: the latest recorded.
create view truths as
select
    deliberation_id, -- deliberation
    right_option,    -- option that turned out right
    recorded_at,     -- when that was recorded
from outcomes
qualify row_number() over (
    partition by deliberation_id order by recorded_at desc, outcome_id desc
) = 1;
