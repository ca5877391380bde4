-- name: claims_without_run
delete from claims
where org = ? and not exists (select from runs where runs.org = claims.org and runs.number = claims.run)

-- name: steps_without_run
delete from steps
where org = ? and not exists (select from runs where runs.org = steps.org and runs.number = steps.run)

-- name: signals_without_run
delete from signals
where org = ? and not exists (select from runs where runs.org = signals.org and runs.number = signals.run)

-- name: claims_without_step
delete from claims where org = ? and run = ? and step = ? and item = ?
