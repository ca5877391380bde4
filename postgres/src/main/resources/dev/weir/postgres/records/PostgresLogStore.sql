-- Writers of one step take turns, because a repeated request must not be stored twice.
-- name: take_turn
select pg_advisory_xact_lock(?, ?)

-- The claim must be live and the newest. Returns the end of its log so far.
-- name: log_end
select claims.attempts, max(log.end_byte) as end_byte, max(log.chunk) as chunk
from stored_live_claims claims left join attempt_log log using (org, run, step, item, fence)
where claims.org = ? and claims.run = ? and claims.step = ? and claims.item = ? and claims.fence = ?
group by claims.attempts

-- name: append
insert into attempt_log (at, org, run, step, item, fence, attempt, chunk, end_byte, text)
values ((extract(epoch from clock_timestamp()) * 1000000)::bigint, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: trim
delete from attempt_log
where org = ? and run = ? and step = ? and item = ? and fence = ? and (end_byte <= ? or chunk <= ?)

-- The attempt of the newest claim that has logged anything.
-- name: newest_attempt
select attempt
from attempt_log
where org = ? and run = ? and step = ? and item = ?
order by fence desc
limit 1

-- The oldest claim that has logged anything after a cursor.
-- name: next_claim
select fence, attempt
from attempt_log
where org = ? and run = ? and step = ? and item = ? and (fence, end_byte) > (?, ?)
order by fence
limit 1

-- name: chunks
select fence, end_byte, text
from attempt_log
where org = ? and run = ? and step = ? and item = ? and attempt = ? and (fence, end_byte) > (?, ?) and fence <= ?
order by fence, chunk
