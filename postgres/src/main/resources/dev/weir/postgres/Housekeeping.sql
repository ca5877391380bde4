-- name: missing_partitions
select parent, starts_at from missing_partitions((extract(epoch from now()) * 1000000)::bigint, ?)

-- name: make_partition
select make_partition(?, ?)
