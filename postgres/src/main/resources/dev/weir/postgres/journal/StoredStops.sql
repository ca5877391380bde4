-- name: workflow_availability
select workflow, state from workflow_availability where org = ?

-- name: secrets
select name, version, key_id, changed_at from secrets where org = ?
