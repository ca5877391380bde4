-- name: now
select (extract(epoch from clock_timestamp()) * 1000000)::bigint

-- name: missing_partitions
select parent, starts_at from missing_partitions(?, ?)

-- name: make_partition
select make_partition(?, ?)

-- name: clear_pins
delete from pins where until < ?

-- name: clear_pauses
delete from pauses where until < ?

-- name: clear_retry_after_holds
delete from retry_after_holds where until < ?

-- name: clear_console_sessions
delete from console_sessions where expires_at < ?

-- name: clear_sign_in_links
delete from sign_in_links where expires_at < ?

-- name: remove_dead_letters
delete from dead_letters
where ctid = any (array(select ctid from dead_letters where at < ? limit ?))
