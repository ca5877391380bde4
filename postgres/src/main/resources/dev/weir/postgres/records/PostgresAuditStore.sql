-- The oldest of the entries that are examined for one page: a bounded number, whatever the filter.
-- name: oldest_examined
select coalesce(min(number), 0) as oldest, count(*) as examined
from (select number from audit_entries where org = ? and number < ? order by number desc limit ?) as newest

-- name: entries
select number, at, actor, origin, request_id, reason, action, target, before, after, previous_hash, hash
from audit_entries
where org = ? and number >= ? and number < ? and at >= ? and at < ?
  and (?::text is null or actor = ?::text)
  and (?::text is null or action = ?::text)
  and (?::text is null or target = ?::text)
order by number desc
limit ?

-- The newest entry of each action on each target, among a bounded number of entries.
-- name: newest
select distinct on (target, action)
       number, at, actor, origin, request_id, reason, action, target, before, after, previous_hash, hash
from audit_entries
where org = ? and number >= ? and action = any (?) and target = any (?)
order by target, action, number desc

-- name: chain
select number, at, actor, origin, request_id, reason, action, target, before, after, previous_hash, hash
from audit_entries
where org = ? and number > ?
order by number
limit ?
