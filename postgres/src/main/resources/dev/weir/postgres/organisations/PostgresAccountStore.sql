-- name: counts
select coalesce(sum(started), 0)::bigint as started, coalesce(sum(deferred), 0)::bigint as deferred,
       coalesce(sum(debounced), 0)::bigint as debounced,
       coalesce(sum(cascade_detected), 0)::bigint as cascade_detected
from execution_counts where org = ?

-- A month begins in the time zone of the organisation.
-- name: quota
select quotas.quota, zone.name as time_zone, coalesce(counts.started, 0) as used,
       timezone(zone.name, month.begins + interval '1 month') as reset_at
from (select ?::int as org) as given
     left join organisation_quotas quotas on quotas.org = given.org and quotas.resource_type = 'workflow_executions'
     cross join lateral (select coalesce(quotas.time_zone, 'UTC') as name) as zone
     cross join lateral (select date_trunc('month', timezone(zone.name, clock_timestamp())) as begins) as month
     left join execution_counts counts on counts.org = given.org and counts.month = month.begins::date

-- name: change_quota
insert into organisation_quotas as quotas (org, resource_type, quota, period, time_zone)
select given.org, 'workflow_executions', given.quota, 'month', coalesce(given.time_zone, kept.time_zone, 'UTC')
from (select ?::int as org, ?::bigint as quota, ?::text as time_zone) as given
     left join organisation_quotas kept on kept.org = given.org and kept.resource_type = 'workflow_executions'
on conflict (org, resource_type) do update set quota = excluded.quota, time_zone = excluded.time_zone

-- name: bind_reader
insert into organisation_readers (org, login) values (?, ?) on conflict do nothing

-- name: now
select clock_timestamp()

-- The engine's role may not create logins; the account of the node may.
-- name: act_as_account
set local role none

-- An existing login of that name keeps its rights, which are those of a reader.
-- name: create_login
select weir.create_reader(?)
