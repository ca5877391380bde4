-- name: workflow_availability
select workflow, state from workflow_availability where org = ?
