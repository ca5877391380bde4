-- Moves everything that has happened into the past by a number of microseconds.

-- name: age_runs
update weir.runs set accepted_at = accepted_at - ?::bigint, started_at = started_at - ?::bigint

-- name: age_run_history
update weir.run_history set accepted_at = accepted_at - ?::bigint, ended_at = ended_at - ?::bigint

-- name: age_step_history
update weir.step_history set since = since - ?::bigint, ended_at = ended_at - ?::bigint
