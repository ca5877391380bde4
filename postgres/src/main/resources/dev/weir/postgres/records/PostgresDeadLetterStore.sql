-- The oldest of the dead letters that are examined for one page: a bounded number, whatever the filter.
-- name: oldest_examined
select coalesce(min(number), 0) as oldest, count(*) as examined
from (select number from dead_letters where org = ? and number < ? order by number desc limit ?) as newest

-- name: dead_letters
select number, at, closed_at, kind, state, reason, subject, workflow, keys, message, chain, caused_by,
       null::text as submission, redriven_as
from dead_letters
where org = ? and number >= ? and number < ?
  and (?::text is null or state = (?::text)::"char")
  and (?::text is null or kind = (?::text)::"char")
  and (?::text is null or reason = ?::text)
  and (?::text is null or workflow = ?::text)
  and (?::text is null or jsonb_exists(keys, ?::text))
order by number desc
limit ?

-- name: dead_letter
select number, at, closed_at, kind, state, reason, subject, workflow, keys, message, chain, caused_by, submission,
       redriven_as
from dead_letters where org = ? and number = ?
