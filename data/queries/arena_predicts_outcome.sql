-- Does surviving the arena tell whether a verdict is right?
-- Arenas over a verdict with an outcome, by the worst that happened: `survived` when every attack
-- that was decided failed, `undecided` when none was decided. The share is of the option that was
-- attacked; 95 % Wilson interval. The Brier scores (Brier 1950) are of the confidence before the
-- bouts and after them: the arena pays when the second is lower. Topic * is all topics.
with
scoped as (
    select deliberation_id, topic from scope($since, $topic, $batch)
),
judged as (
    select
        topic,
        case
            when overturned > 0 then 'overturned'
            when weakened > 0 then 'weakened'
            when upheld > 0 then 'survived'
            else 'undecided'
        end as result,
        confidence_before,
        confidence_after,
        cast(option_before = right_option as integer) as hit
    from arenas
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
),
tallies as (
    select
        if(grouping(topic) = 1, '*', topic) as topic,
        result,
        count(*) as n,
        cast(sum(hit) as bigint) as n_right,
        avg(confidence_before) as mean_confidence_before,
        avg(confidence_after) as mean_confidence_after,
        avg((confidence_before - hit) * (confidence_before - hit)) as brier_before,
        avg((confidence_after - hit) * (confidence_after - hit)) as brier_after
    from judged
    group by grouping sets ((topic, result), (result))
),
final as (
    select
        *,
        n_right / n as share_right,
        wilson_low(n_right, n) as low,
        wilson_high(n_right, n) as high
    from tallies
)
select * from final
order by topic, result
