-- How often is each juror right, by topic, before it has heard the others?
-- Opinions of round 1 against the recorded outcomes; topic * is all topics; 95 % Wilson interval.
with
scoped as (
    from scope($since, $topic, $batch)
),
judged as (
    select juror, topic, stance = right_option as is_right
    from opinions
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where round = 1 and stance is not null
),
tallies as (
    select
        juror,
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n,
        count(*) filter (where is_right) as n_right
    from judged
    group by grouping sets ((juror, topic), (juror))
),
final as (
    select
        juror,
        topic,
        n,
        n_right,
        n_right / n as reliability,
        wilson_low(n_right, n) as low,
        wilson_high(n_right, n) as high
    from tallies
)
select * from final
order by topic, reliability desc, juror
