-- name: mark
update organisations
set deletion_began_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint
where name = ? and deletion_began_at is null and suspended_at is not null

-- name: begin
insert into deletions (id, org, org_name, began_at)
select 'organisation-' || number, number, name, deletion_began_at from organisations where name = ?

-- name: organisation_deletions
select id, org_name, run, rows, began_at, ended_at from deletions where run is null order by began_at desc limit ?

-- name: run_deletions
select deletions.id, deletions.org_name, deletions.run, deletions.rows, deletions.began_at, deletions.ended_at
from deletions join organisations on organisations.number = deletions.org
where deletions.run is not null and organisations.name = ?
order by deletions.began_at desc
limit ?

-- The number of a run is found as long as its id is there.
-- name: next
select deletions.id, deletions.org, deletions.run, run_ids.number
from deletions left join run_ids on run_ids.org = deletions.org and run_ids.id = deletions.run
where deletions.ended_at is null
order by deletions.began_at
limit 1
for update of deletions skip locked

-- A run that was started again with the same id is live, and is not deleted.
-- name: is_live
select exists (select from runs where org = ? and number = ?) as live

-- name: delete_part
select weir.delete_part(?, ?, ?, ?) as rows

-- name: progress
update deletions set rows = rows + ? where id = ?

-- name: end
update deletions set ended_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint where id = ?

-- name: end_organisation
update organisations
set deleted_at = (extract(epoch from clock_timestamp()) * 1000000)::bigint, suspension_reason = null,
    listening_spans = null
where number = ?

-- name: forget_runs
delete from deletions where org = ? and run is not null
