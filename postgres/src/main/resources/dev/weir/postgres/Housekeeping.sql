-- name: missing_partitions
select parent, starts_at from missing_partitions((extract(epoch from now()) * 1000000)::bigint, ?)

-- name: make_partition
select make_partition(?, ?)

-- Rates look back seven days at the most.
-- name: forget_starts
delete from starts where at < (extract(epoch from now() - interval '8 days') * 1000000)::bigint
