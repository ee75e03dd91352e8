-- To how many independent jurors do the jurors amount, by topic?
-- k / (1 + (k - 1) r), the design effect of Kish 1965, with k jurors and r the mean correlation of
-- their errors over all pairs, weighted by the deliberations of each pair, and not below 0.
with
scoped as (
    from scope($since, $topic, $batch)
),
judged as (
    select deliberation_id, topic, juror, stance <> right_option as is_wrong
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
pairs as (
    select
        if(grouping(one.topic) = 1, '*', one.topic) as topic,
        one.juror as juror_a,
        two.juror as juror_b,
        count(*) as n,
        count(*) filter (where one.is_wrong) as n_wrong_a,
        count(*) filter (where two.is_wrong) as n_wrong_b,
        count(*) filter (where one.is_wrong and two.is_wrong) as n_both_wrong
    from judged as one
    join judged as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by grouping sets ((one.topic, one.juror, two.juror), (one.juror, two.juror))
),
correlated as (
    select
        *,
        (n * n_both_wrong - n_wrong_a * n_wrong_b)
            / nullif(sqrt(1.0 * n_wrong_a * (n - n_wrong_a) * n_wrong_b * (n - n_wrong_b)), 0)
            as correlation
    from pairs
),
means as (
    select
        topic,
        count(*) as n_pairs,
        sum(n * correlation) / sum(n) filter (where correlation is not null) as error_correlation
    from correlated
    group by topic
),
seats as (
    select if(grouping(topic) = 1, '*', topic) as topic, count(distinct juror) as n_jurors
    from judged
    group by grouping sets ((topic), ())
),
final as (
    select
        topic,
        n_jurors,
        n_pairs,
        error_correlation,
        n_jurors / (1 + (n_jurors - 1) * if(error_correlation < 0, 0, error_correlation))
            as effective_jurors
    from means
    join seats using (topic)
)
select * from final
order by topic
