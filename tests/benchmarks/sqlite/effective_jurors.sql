with /*scope*/,
judged as materialized (
    select deliberation_id, scoped.topic, juror, stance <> right_option as is_wrong
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
by_topic as materialized (
    select one.topic, one.juror as juror_a, two.juror as juror_b, count(*) as n,
        sum(one.is_wrong) as n_wrong_a, sum(two.is_wrong) as n_wrong_b,
        sum(one.is_wrong and two.is_wrong) as n_both_wrong
    from judged as one
    join judged as two on two.deliberation_id = one.deliberation_id and two.juror > one.juror
    group by one.topic, one.juror, two.juror
),
pairs as (
    select * from by_topic
    union all
    select '*', juror_a, juror_b, sum(n), sum(n_wrong_a), sum(n_wrong_b), sum(n_both_wrong)
    from by_topic
    group by juror_a, juror_b
),
correlated as (
    select *, (n * n_both_wrong - n_wrong_a * n_wrong_b)
        / nullif(sqrt(1.0 * n_wrong_a * (n - n_wrong_a) * n_wrong_b * (n - n_wrong_b)), 0)
        as correlation
    from pairs
),
means as (
    select topic, count(*) as n_pairs,
        sum(n * correlation) / sum(iif(correlation is null, null, n)) as error_correlation
    from correlated
    group by topic
),
seats as (
    select topic, count(distinct juror) as n_jurors from judged group by topic
    union all
    select '*', count(distinct juror) from judged
)
select topic, n_jurors, n_pairs, error_correlation,
    n_jurors / (1 + (n_jurors - 1) * iif(error_correlation < 0, 0, error_correlation))
from means
join seats using (topic)
order by topic
