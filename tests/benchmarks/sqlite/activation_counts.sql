with /*scope*/
select kind, subject, count(*) as n, count(distinct deliberation_id) as n_deliberations,
    sum(turned), 1.0 * count(distinct deliberation_id) / (select count(*) from scoped)
from activations
join scoped using (deliberation_id)
group by kind, subject
order by n_deliberations desc, kind, subject
