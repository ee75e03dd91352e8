-- Whose dissent turned out to be right, by topic?
-- `n_judged` are the dissents with an outcome; topic * is all topics; 95 % Wilson interval.
with
scoped as (
    from scope($since, $topic, $batch)
),
marked as (
    select juror, topic, right_option, option = right_option as is_right
    from dissents
    join scoped using (deliberation_id)
    left join truths using (deliberation_id)
),
tallies as (
    select
        juror,
        if(grouping(topic) = 1, '*', topic) as topic,
        count(*) as n_dissents,
        count(right_option) as n_judged,
        count(*) filter (where is_right) as n_right
    from marked
    group by grouping sets ((juror, topic), (juror))
),
final as (
    select
        *,
        n_right / nullif(n_judged, 0) as share_right,
        wilson_low(n_right, n_judged) as low,
        wilson_high(n_right, n_judged) as high
    from tallies
)
select * from final
order by topic, n_right desc, juror
