-- Returns the newest starts of each limit one by one, as many as a rate remembers. Older starts are merged into one per
-- bucket, at the time of the newest of them. A rate that counts more than that may then admit a start too late, but
-- never too early.
-- name: kept_starts
with given as (
    select ?::int as org, ?::int as remembered, ?::bigint as bucket
)
select asked."limit", counting.at, counting.cost
from unnest(?::text[]) as asked ("limit")
     cross join given
     cross join lateral (
        (select starts.at, starts.cost::bigint
         from rate_starts starts
         where starts.org = given.org and starts."limit" = asked."limit"
         order by starts.at desc, starts.seq desc limit given.remembered)
        union all
        (select max(older.at), sum(older.cost)::bigint
         from (select starts.at, starts.cost
               from rate_starts starts
               where starts.org = given.org and starts."limit" = asked."limit"
               order by starts.at desc, starts.seq desc offset given.remembered) as older
         group by older.at / given.bucket)) as counting
order by counting.at
