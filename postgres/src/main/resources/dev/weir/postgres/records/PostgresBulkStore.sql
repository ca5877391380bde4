-- name: create
insert into bulk_operations (org, id, action, filter, options, number_before, expected, created_at, node, lease_until)
values (?, ?, ?::"char", ?, ?, ?, ?, ?, ?, (extract(epoch from clock_timestamp()) * 1000000)::bigint + ?)
on conflict (org, id) do nothing

-- Keeps the newest operations of an organisation, and all that have not ended.
-- name: trim
delete from bulk_operations
where org = ? and ended_at is not null
  and seq < (select min(kept.seq) from (select seq from bulk_operations where org = ? order by seq desc limit ?) as kept)

-- name: find
select organisations.name as organisation, operations.*
from bulk_operations operations join organisations on organisations.number = operations.org
where operations.org = ? and operations.id = ?

-- name: count_unfinished
select count(*) from bulk_operations where org = ? and ended_at is null

-- name: save
update bulk_operations
set number_before = ?, listed_before = ?, changed = ?, unchanged = ?, failed = ?, failures = ?, ended_at = ?,
    lease_until = (extract(epoch from clock_timestamp()) * 1000000)::bigint + ?
where org = ? and id = ? and node = ? and ended_at is null

-- name: release
update bulk_operations set lease_until = 0 where org = ? and id = ? and node = ? and ended_at is null

-- name: has_abandoned
select exists (select from bulk_operations
               where ended_at is null
                 and lease_until < (extract(epoch from clock_timestamp()) * 1000000)::bigint)

-- name: take_abandoned
with taken as (
    update bulk_operations
    set node = ?, lease_until = (extract(epoch from clock_timestamp()) * 1000000)::bigint + ?
    where (org, id) in (select org, id from bulk_operations
                        where ended_at is null
                          and lease_until < (extract(epoch from clock_timestamp()) * 1000000)::bigint
                        order by lease_until limit ? for update skip locked)
    returning *)
select organisations.name as organisation, taken.*
from taken join organisations on organisations.number = taken.org
