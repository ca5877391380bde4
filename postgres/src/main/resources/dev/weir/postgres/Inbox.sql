-- name: start
insert into weir.inbox (org, request)
select number, ?::json from weir.organisations where name = ? and deletion_began_at is null
