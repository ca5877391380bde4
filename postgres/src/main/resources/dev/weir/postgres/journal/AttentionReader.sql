-- name: open_dead_letters
select count(*) from (select from dead_letters where org = ? and state = 'o' limit ?) as counted

-- name: open_notices
select number, opened_at, kind, severity, subject, used, max
from notices where org = ? and closed_at is null
order by number
