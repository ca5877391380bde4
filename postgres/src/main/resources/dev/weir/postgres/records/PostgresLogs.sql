-- Two who write for one step take turns: a request that is sent again must not be kept twice.
-- name: take_turn
select pg_advisory_xact_lock(?, ?)

-- The claim must live and be the newest; and what it has said so far.
-- name: said_before
select claims.attempts, max(log.until_byte) as until_byte, max(log.piece) as piece
from open_claims claims left join attempt_log log using (org, run, step, item, fence)
where claims.org = ? and claims.run = ? and claims.step = ? and claims.item = ? and claims.fence = ?
group by claims.attempts

-- name: append
insert into attempt_log (at, org, run, step, item, fence, attempt, piece, until_byte, text)
values ((extract(epoch from clock_timestamp()) * 1000000)::bigint, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: trim
delete from attempt_log
where org = ? and run = ? and step = ? and item = ? and fence = ? and (until_byte <= ? or piece <= ?)

-- name: newest_attempt
select coalesce(max(attempt), 0)
from attempt_log
where org = ? and run = ? and step = ? and item = ?

-- name: pieces
select fence, until_byte, text
from attempt_log
where org = ? and run = ? and step = ? and item = ? and attempt = ? and (fence, until_byte) > (?, ?)
order by fence, piece
