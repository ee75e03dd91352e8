with /*scope*/,
applied as (
    select subject as rule, turned, right_option, coalesce(option = right_option, 0) as is_right
    from activations
    join scoped using (deliberation_id)
    join verdicts using (deliberation_id)
    left join truths using (deliberation_id)
    where kind = 'rule'
)
select rule, count(*), sum(turned) as n_turned, sum(turned and right_option is not null),
    sum(turned and is_right)
from applied
group by rule
order by n_turned desc, rule
