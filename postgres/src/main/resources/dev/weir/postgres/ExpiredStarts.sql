-- The limits with starts that cannot count any more, and the time before which these starts are. That time is the
-- longest period of the limit ago, but at least an hour, because waiting tickets may have a longer period. The newest
-- starts, as many as a rate remembers, are kept for eight days: rates look back at most seven days.
-- name: forgettable_starts
with recursive given as (
    select ?::bigint as now, ?::bigint as least, ?::int as remembered,
           8 * 24 * 3600 * 1000000::bigint as most
), limits as (
    (select org, "limit" from rate_starts starts order by org, "limit" limit 1)
    union all
    select next.org, next."limit"
    from limits
         cross join lateral (select starts.org, starts."limit" from rate_starts starts
                             where (starts.org, starts."limit") > (limits.org, limits."limit")
                             order by starts.org, starts."limit" limit 1) as next
), looking_back as (
    select limits.org, limits."limit", given.now - given.most as oldest, given.remembered,
           given.now - greatest(given.least, newest.longest, pins.period)
                     - greatest(given.least, newest.longest, pins.period) / given.remembered - 1 as until
    from limits
         cross join given
         cross join lateral (select coalesce(starts.longest_period, starts.period) as longest from rate_starts starts
                             where starts.org = limits.org and starts."limit" = limits."limit"
                             order by starts.at desc, starts.seq desc limit 1) as newest
         left join pins on pins.org = limits.org and pins."limit" = limits."limit"
), before as (
    select limits.org, limits."limit", greatest(limits.oldest, least(limits.until, coalesce(kept.at, limits.oldest))) as at
    from looking_back as limits
         left join lateral (select starts.at from rate_starts starts
                            where starts.org = limits.org and starts."limit" = limits."limit"
                            order by starts.at desc, starts.seq desc offset limits.remembered - 1 limit 1) as kept on true
)
select before.org, before."limit", before.at
from before
where exists (select from rate_starts starts
              where starts.org = before.org and starts."limit" = before."limit" and starts.at < before.at)

-- name: forget_starts
delete from rate_starts
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::text[], ?::bigint[]) as old (org, "limit", before),
         lateral (select starts.ctid as at from rate_starts starts
                  where starts.org = old.org and starts."limit" = old."limit" and starts.at < old.before
                  limit ?) as found
    limit ?))
