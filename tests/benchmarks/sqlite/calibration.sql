with /*scope*/,
judged as (
    select confidence, option = right_option as hit
    from verdicts
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where option is not null
),
bins as (
    select min(cast(floor(confidence * 10) as integer), 9) as bin, count(*) as n,
        sum(hit) as n_right, avg(confidence) as mean_confidence, avg(hit) as share_right,
        sum((confidence - hit) * (confidence - hit)) as squares
    from judged
    group by 1
)
select bin / 10.0, (bin + 1) / 10.0, n, mean_confidence, share_right,
    wilson_low(n_right, n), wilson_high(n_right, n),
    sum(squares) over () / sum(n) over (),
    sum(n * abs(mean_confidence - share_right)) over () / sum(n) over ()
from bins
order by bin
