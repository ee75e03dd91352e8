-- Who is moved by whom in the debate, and toward what is right?
-- A juror that changes its mind is moved by those who held its new stance in round 1; they share
-- the move equally, so `moves` adds up to the changed minds that someone held before.
with
scoped as (
    from scope($since, $topic, $batch)
),
pulls as (
    select
        changed_minds.juror as moved,
        opinions.juror as mover,
        1 / count(*) over (partition by deliberation_id, changed_minds.juror) as part,
        stance_after = right_option as is_toward_right,
        stance_before = right_option as is_from_right
    from changed_minds
    join scoped using (deliberation_id)
    join opinions using (deliberation_id)
    left join truths using (deliberation_id)
    where round = 1 and stance = stance_after and opinions.juror <> changed_minds.juror
),
final as (
    select
        mover,
        moved,
        count(*) as n,
        sum(part) as moves,
        count(*) filter (where is_toward_right) as n_toward_right,
        count(*) filter (where is_from_right) as n_away_from_right
    from pulls
    group by mover, moved
)
select * from final
order by moves desc, mover, moved
