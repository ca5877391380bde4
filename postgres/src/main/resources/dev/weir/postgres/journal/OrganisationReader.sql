-- Checks the epoch in the snapshot of a load. No lock is taken, because a load may last for minutes. A transaction of an
-- earlier epoch has ended before this snapshot, and one of a later epoch makes every decision on what is read here fail.
-- name: check_epoch
select (extract(epoch from clock_timestamp()) * 1000000)::bigint from shards where shard = ? and epoch = ?

-- name: definition
select definition from workflows where org = ? and name = ? and version = ?
