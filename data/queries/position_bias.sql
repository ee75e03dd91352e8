-- Does a scorer's choice depend on which side it reads first?
-- `n` are the bouts that a juror read in both orders. A choice of the same letter twice followed the
-- place and not the argument: `n_first` took the side shown first both times, `n_second` the other.
-- `bias` is (n_first - n_second) / n, from -1 to 1; the interval is of `share_by_place`, 95 % Wilson.
with
scoped as (
    select deliberation_id from scope($since, $topic, $batch)
),
readings as (
    select
        bout_id,
        juror,
        min_by(stronger, attack_side) as attack_first,
        max_by(stronger, attack_side) as attack_second
    from bout_scores
    join scoped using (deliberation_id)
    where picked is not null
    group by bout_id, juror
    having count(distinct attack_side) = 2
),
tallies as (
    select
        juror,
        count(*) as n,
        count(*) filter (where attack_first = 'attack' and attack_second = 'rebuttal') as n_first,
        count(*) filter (where attack_first = 'rebuttal' and attack_second = 'attack') as n_second,
        count(*) filter (
            where (attack_first = 'neither') <> (attack_second = 'neither')
        ) as n_half_decided
    from readings
    group by juror
),
final as (
    select
        *,
        (n_first - n_second) / n as bias,
        (n_first + n_second) / n as share_by_place,
        wilson_low(n_first + n_second, n) as low,
        wilson_high(n_first + n_second, n) as high
    from tallies
)
select * from final
order by share_by_place desc, juror
