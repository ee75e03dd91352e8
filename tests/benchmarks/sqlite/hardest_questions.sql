with /*scope*/,
divided as (
    select deliberation_id,
        1 - 1.0 * sum(votes * (votes - 1)) / nullif(sum(votes) * (sum(votes) - 1), 0)
            as disagreement
    from ballots
    group by deliberation_id
),
asked as (
    select scoped.question_id, max(scoped.topic) as topic, count(*) as n,
        avg(disagreement) as disagreement, avg(confidence) as mean_confidence,
        count(right_option) as n_judged,
        sum(right_option is not null and option is not right_option) as n_wrong
    from scoped
    join divided using (deliberation_id)
    join verdicts using (deliberation_id)
    left join truths using (deliberation_id)
    group by scoped.question_id
    order by disagreement desc nulls last, mean_confidence, scoped.question_id
    limit 50
)
select question_id, text, asked.topic, n, disagreement, mean_confidence, n_judged, n_wrong
from asked
join questions using (question_id)
order by disagreement desc nulls last, mean_confidence, question_id
