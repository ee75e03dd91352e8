with /*scope*/,
pulls as (
    select changed_minds.juror as moved, opinions.juror as mover,
        1.0 / count(*) over (partition by deliberation_id, changed_minds.juror) as part,
        stance_after = right_option as is_toward_right,
        stance_before = right_option as is_from_right
    from changed_minds
    join scoped using (deliberation_id)
    join opinions using (deliberation_id)
    left join truths using (deliberation_id)
    where round = 1 and stance = stance_after and opinions.juror <> changed_minds.juror
)
select mover, moved, count(*), sum(part) as moves,
    sum(coalesce(is_toward_right, 0)), sum(coalesce(is_from_right, 0))
from pulls
group by mover, moved
order by moves desc, mover, moved
