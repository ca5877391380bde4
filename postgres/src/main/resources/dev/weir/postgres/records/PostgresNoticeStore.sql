-- The number of notices per organisation is bounded, so that the filters need no index.
-- name: notices
select number, opened_at, closed_at, kind, severity, subject, used, max
from notices
where org = ? and number < ?
  and (?::boolean is null or (closed_at is null) = ?::boolean)
  and (?::text is null or kind = ?::text)
  and (?::text is null or severity = ?::text)
  and (?::text is null or subject = ?::text)
order by number desc
limit ?
