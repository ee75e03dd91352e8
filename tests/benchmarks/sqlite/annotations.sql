with /*scope*/
select deliberation_id, juror, stance
from opinions
join scoped using (deliberation_id)
where round = 1 and stance is not null
order by deliberation_id, juror
