-- Which verdicts did a rule turn, and were they right?
-- Turned means that the judge decides otherwise without the rule. `n_judged` are the turned verdicts
-- with an outcome, `n_right` those whose option was right.
with
scoped as (
    from scope($since, $topic, $batch)
),
applied as (
    select subject as rule, turned, right_option, option = right_option as is_right
    from activations
    join scoped using (deliberation_id)
    join verdicts using (deliberation_id)
    left join truths using (deliberation_id)
    where kind = 'rule'
),
final as (
    select
        rule,
        count(*) as n_applied,
        count(*) filter (where turned) as n_turned,
        count(*) filter (where turned and right_option is not null) as n_judged,
        count(*) filter (where turned and is_right) as n_right
    from applied
    group by rule
)
select * from final
order by n_turned desc, rule
