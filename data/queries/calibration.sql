-- Is a verdict of confidence p right in p of all cases?
-- Verdicts with an outcome in ten bins; 95 % Wilson interval. Over all bins: the Brier score (Brier
-- 1950) and the expected calibration error, the mean gap weighted by the bins' sizes.
with
scoped as (
    from scope($since, $topic, $batch)
),
judged as (
    select confidence, cast(option = right_option as integer) as hit
    from verdicts
    join scoped using (deliberation_id)
    join truths using (deliberation_id)
    where option is not null
),
bins as (
    select
        least(cast(floor(confidence * 10) as integer), 9) as bin,
        count(*) as n,
        cast(sum(hit) as bigint) as n_right,
        avg(confidence) as mean_confidence,
        avg(hit) as share_right,
        sum((confidence - hit) * (confidence - hit)) as squares
    from judged
    group by bin
),
final as (
    select
        bin / 10 as confidence_from,
        (bin + 1) / 10 as confidence_to,
        n,
        mean_confidence,
        share_right,
        wilson_low(n_right, n) as low,
        wilson_high(n_right, n) as high,
        sum(squares) over () / sum(n) over () as brier,
        sum(n * abs(mean_confidence - share_right)) over () / sum(n) over () as ece
    from bins
)
select * from final
order by confidence_from
