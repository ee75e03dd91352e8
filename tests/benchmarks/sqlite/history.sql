with /*scope*/
select deliberation_id, scoped.finished_at, text, status, option, split, confidence, scoped.topic,
    simulated
from scoped
join verdicts using (deliberation_id)
join questions on questions.question_id = scoped.question_id
order by scoped.finished_at desc, deliberation_id
limit coalesce(:limit, 1000)
