-- Which questions divide the council most, and which does it get wrong?
-- `disagreement` is the probability that two jurors drawn at random end on different options, over
-- all deliberations of the question. The fifty hardest.
with
scoped as (
    from scope($since, $topic, $batch)
),
divided as (
    select
        deliberation_id,
        sum(votes) as n_votes,
        1 - sum(votes * (votes - 1)) / nullif(sum(votes) * (sum(votes) - 1), 0) as disagreement
    from ballots
    group by deliberation_id
),
asked as (
    select
        question_id,
        any_value(scoped.topic) as topic,
        count(*) as n,
        avg(disagreement) as disagreement,
        avg(confidence) as mean_confidence,
        count(right_option) as n_judged,
        count(*) filter (where right_option is not null and option is distinct from right_option)
            as n_wrong
    from scoped
    join divided using (deliberation_id)
    join verdicts using (deliberation_id)
    left join truths using (deliberation_id)
    group by question_id
    order by disagreement desc nulls last, mean_confidence, question_id
    limit 50
),
final as (
    select question_id, text as question, asked.topic, n, disagreement, mean_confidence, n_judged, n_wrong
    from asked
    join questions using (question_id)
)
select * from final
order by disagreement desc nulls last, mean_confidence, question_id
