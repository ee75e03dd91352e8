-- Is every deliberation whole: one verdict, shares that add to 1, nobody counted twice?
with
final as (
    select *
    from deliberation_audit
    where (cast($since as timestamptz) is null or finished_at >= cast($since as timestamptz))
      and (cast($batch as varchar) is null or batch_id = cast($batch as varchar))
)
select * from final
order by deliberation_id
