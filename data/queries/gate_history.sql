-- What did the gates find, newest first?
with
failures as (
    select gate_id, list(expectation || coalesce('(' || on_column || ')', '') order by expectation)
        as broken
    from gate_checks
    where not passed
    group by gate_id
),
final as (
    select ran_at, gate, batch_id, passed, n_rows, broken
    from gate_results
    left join failures using (gate_id)
    where (cast($since as timestamptz) is null or ran_at >= cast($since as timestamptz))
      and (cast($batch as varchar) is null or batch_id = cast($batch as varchar))
)
select * from final
order by ran_at desc
