-- name: missing_partitions
select parent, starts_at from missing_partitions((extract(epoch from now()) * 1000000)::bigint, ?)

-- name: make_partition
select make_partition(?, ?)

-- name: clear_pins
delete from pins where until < (extract(epoch from now() - interval '1 day') * 1000000)::bigint

-- name: clear_pauses
delete from pauses where until < (extract(epoch from now() - interval '1 day') * 1000000)::bigint

-- name: clear_holds
delete from holds where until < (extract(epoch from now() - interval '1 day') * 1000000)::bigint
