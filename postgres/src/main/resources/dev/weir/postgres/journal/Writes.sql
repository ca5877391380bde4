-- What a transaction writes: each statement takes all of its rows at once, and finds rows by their keys and fences only.

-- name: insert_run_ids
insert into run_ids (org, id, number)
select * from unnest(?::int[], ?::text[], ?::bigint[])
on conflict do nothing
returning org, id

-- name: insert_runs
insert into runs (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
                  starts_in_tick, input, labels, start, ask, ending, overrides, detail)
select org, number, id, workflow, version, priority, state::"char", accepted_at, started_at, last_grant_at,
       starts_in_tick, input::json, labels::json, start::json, ask::json, ending::json, overrides::json,
       detail::json
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[], ?::smallint[], ?::text[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
             starts_in_tick, input, labels, start, ask, ending, overrides, detail)

-- name: update_runs
update runs
set state = new.state::"char", started_at = new.started_at, last_grant_at = new.last_grant_at,
    starts_in_tick = new.starts_in_tick, ask = new.ask::json, ending = new.ending::json,
    overrides = new.overrides::json, detail = new.detail::json
from unnest(?::int[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[],
            ?::text[])
     as new (org, number, state, started_at, last_grant_at, starts_in_tick, ask, ending, overrides, detail)
where runs.org = new.org and runs.number = new.number

-- name: update_run_details
update runs set ask = new.ask::json, detail = new.detail::json
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[]) as new (org, number, ask, detail)
where runs.org = new.org and runs.number = new.number

-- name: update_endings
update runs set ending = new.ending::json
from unnest(?::int[], ?::bigint[], ?::text[]) as new (org, number, ending)
where runs.org = new.org and runs.number = new.number

-- name: update_overrides
update runs set overrides = new.overrides::json
from unnest(?::int[], ?::bigint[], ?::text[]) as new (org, number, overrides)
where runs.org = new.org and runs.number = new.number

-- name: update_ticks
update runs set last_grant_at = new.last_grant_at, starts_in_tick = new.starts_in_tick
from unnest(?::int[], ?::bigint[], ?::bigint[], ?::int[]) as new (org, number, last_grant_at, starts_in_tick)
where runs.org = new.org and runs.number = new.number

-- name: delete_runs
delete from runs
using unnest(?::int[], ?::bigint[]) as old (org, number)
where runs.org = old.org and runs.number = old.number

-- name: insert_run_history
insert into run_history (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
                         starts_in_tick, input, labels, start, ask, ending, overrides, detail, ended_at, body)
select org, number, id, workflow, version, priority, state::"char", accepted_at, started_at, last_grant_at,
       starts_in_tick, input::json, labels::json, start::json, ask::json, ending::json, overrides::json,
       detail::json, ended_at, body
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[], ?::smallint[], ?::text[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::bigint[], ?::int[])
     as new (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
             starts_in_tick, input, labels, start, ask, ending, overrides, detail, ended_at, body)

-- name: delete_claims
delete from claims
using unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[]) as old (org, run, step, item, fence)
where claims.org = old.org and claims.run = old.run and claims.step = old.step and claims.item = old.item
  and claims.fence = old.fence

-- name: update_claims
update claims set until = new.until
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::bigint[])
     as new (org, run, step, item, fence, until)
where claims.org = new.org and claims.run = new.run and claims.step = new.step and claims.item = new.item
  and claims.fence = new.fence

-- A claim that goes on with another worker.
-- name: replace_claims
update claims
set fence = new.fence, attempts = new.attempts, worker = new.worker, request = new.request, lease = new.lease,
    granted_at = new.granted_at, until = new.until, timeout_at = new.timeout_at, ask = new.ask::json,
    starts = new.starts::json
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
     as new (org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at, ask, starts)
where claims.org = new.org and claims.run = new.run and claims.step = new.step and claims.item = new.item
  and claims.fence < new.fence

-- name: insert_claims
insert into claims (org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at,
                    ask, starts)
select org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at,
       ask::json, starts::json
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
     as new (org, run, step, item, fence, attempts, worker, request, lease, granted_at, until, timeout_at, ask, starts)

-- name: delete_steps
delete from steps
using unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[]) as old (org, run, step, item)
where steps.org = old.org and steps.run = old.run and steps.step = old.step and steps.item = old.item

-- name: update_steps
update steps
set state = new.state::"char", fence = new.fence, since = new.since, due = new.due, attempts = new.attempts,
    report = new.report, ask = new.ask::json, input = new.input::json, last = new.last::json, traits = new.traits::json,
    detail = new.detail::json
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail)
where steps.org = new.org and steps.run = new.run and steps.step = new.step and steps.item = new.item

-- name: insert_steps
insert into steps (org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail)
select org, run, step, item, state::"char", fence, since, due, attempts, report,
       ask::json, input::json, last::json, traits::json, detail::json
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail)

-- name: update_step_details
update steps set detail = new.detail::json
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[]) as new (org, run, step, item, detail)
where steps.org = new.org and steps.run = new.run and steps.step = new.step and steps.item = new.item

-- An item that had failed is tried again: it is no history any more.
-- name: delete_step_history
delete from step_history
using unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[]) as old (org, run, step, item)
where step_history.org = old.org and step_history.run = old.run and step_history.step = old.step
  and step_history.item = old.item

-- name: insert_step_history
insert into step_history (org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail,
                          ended_at)
select org, run, step, item, state::"char", fence, since, due, attempts, report,
       ask::json, input::json, last::json, traits::json, detail::json, ended_at
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
     as new (org, run, step, item, state, fence, since, due, attempts, report, ask, input, last, traits, detail, ended_at)

-- name: insert_signals
insert into signals (org, run, number, name, payload, at)
select org, run, number, name, payload::json, at
from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])
     as new (org, run, number, name, payload, at)

-- name: delete_signals
delete from signals
using unnest(?::int[], ?::bigint[], ?::bigint[]) as old (org, run, number)
where signals.org = old.org and signals.run = old.run and signals.number = old.number

-- name: delete_signals_of_runs
delete from signals
using unnest(?::int[], ?::bigint[]) as old (org, run)
where signals.org = old.org and signals.run = old.run

-- name: delete_starts
delete from starts
using unnest(?::int[], ?::text[]) as old (org, "limit")
where starts.org = old.org and starts."limit" = old."limit"

-- name: insert_starts
insert into starts (org, "limit", at, cost, count, period, "window", opens)
select org, "limit", at, cost, count, period, "window"::"char", opens
from unnest(?::int[], ?::text[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::text[], ?::boolean[])
     with ordinality as new (org, "limit", at, cost, count, period, "window", opens, place)
order by place

-- name: delete_pins
delete from pins
using unnest(?::int[], ?::text[]) as old (org, "limit")
where pins.org = old.org and pins."limit" = old."limit"

-- name: upsert_pins
insert into pins (org, "limit", parallelism, count, period, "window", until)
select org, "limit", parallelism, count, period, "window"::"char", until
from unnest(?::int[], ?::text[], ?::int[], ?::int[], ?::bigint[], ?::text[], ?::bigint[])
     as new (org, "limit", parallelism, count, period, "window", until)
on conflict (org, "limit") do update
set parallelism = excluded.parallelism, count = excluded.count, period = excluded.period,
    "window" = excluded."window", until = excluded.until

-- name: delete_pauses
delete from pauses
using unnest(?::int[], ?::text[]) as old (org, "limit")
where pauses.org = old.org and pauses."limit" = old."limit"

-- name: upsert_pauses
insert into pauses (org, "limit", until)
select * from unnest(?::int[], ?::text[], ?::bigint[])
on conflict (org, "limit") do update set until = excluded.until

-- name: upsert_holds
insert into holds (org, "limit", until)
select * from unnest(?::int[], ?::text[], ?::bigint[])
on conflict (org, "limit") do update set until = excluded.until

-- name: insert_emitted
insert into emitted (org, at, run, step, root, depth, event, data)
select org, at, run, step, root, depth, event, data::json
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[])
     as new (org, at, run, step, root, depth, event, data)

-- name: insert_workflows
insert into workflows (org, name, version, hash, definition, registered_at)
select org, name, version, hash, definition::json, registered_at
from unnest(?::int[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[])
     as new (org, name, version, hash, definition, registered_at)

-- name: upsert_modules
insert into modules (org, module, slots, exclusive)
select * from unnest(?::int[], ?::text[], ?::int[], ?::boolean[])
on conflict (org, module) do update set slots = excluded.slots, exclusive = excluded.exclusive

-- name: update_organisations
update organisations set next_run = new.next_run
from unnest(?::int[], ?::bigint[]) as new (org, next_run)
where organisations.number = new.org

-- name: insert_claim_log
insert into claim_log (org, at, events)
select org, at, events::json
from unnest(?::int[], ?::bigint[], ?::text[]) as new (org, at, events)
