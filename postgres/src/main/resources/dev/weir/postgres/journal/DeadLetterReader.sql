-- name: dead_letter
select number, at, closed_at, kind, state, reason, subject, workflow, keys, message, chain, caused_by, submission,
       redriven_as
from dead_letters where org = ? and number = ?
