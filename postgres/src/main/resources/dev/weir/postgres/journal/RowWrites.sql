-- The writes of a transaction. Each statement takes all of its rows at once, and finds existing rows by keys and fences
-- only.
--
-- "lateral ... offset 0" forces the planner to look up rows one by one, from the list to the table. Without it, the
-- planner reads the whole table for each row of the list once a vacuum has seen the table empty.

-- name: insert_run_ids
insert into run_ids (org, id, number, input, started_by)
select * from unnest(?::int[], ?::text[], ?::bigint[], ?::text[], ?::text[])

-- name: taken_ids
select run_ids.org, run_ids.id
from unnest(?::int[], ?::text[]) as new (org, id),
     lateral (select org, id from run_ids where run_ids.org = new.org and run_ids.id = new.id offset 0) as run_ids

-- Moves claims out of their runs' rows into rows of their own. The claim inside the run's row is valid as long as the
-- step has no row, open or ended, and the claim has no row of its own.
-- name: move_claims_out_of_runs
insert into claims (org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
                    limit_needs, starts_and_waits)
select kept.org, kept.run, kept.step, -1, (claim.entry ->> 1)::bigint, (claim.entry ->> 2)::int, claim.entry ->> 3,
       claim.entry ->> 4, (claim.entry ->> 5)::bigint, (claim.entry ->> 6)::bigint, (claim.entry ->> 7)::bigint,
       (claim.entry ->> 8)::bigint, nullif((claim.entry -> 9)::text, 'null'), nullif((claim.entry -> 10)::text, 'null')
from unnest(?::int[], ?::bigint[], ?::smallint[]) as kept (org, run, step),
     lateral (select claim.entry, runs.accepted_at
              from runs, json_array_elements(runs.initial_claims::json) as claim (entry)
              where runs.org = kept.org and runs.number = kept.run and (claim.entry ->> 0)::smallint = kept.step
              offset 0) as claim
where not exists (select from claims
                  where claims.org = kept.org and claims.run = kept.run and claims.step = kept.step and claims.item = -1
                  offset 0)
  and not exists (select from steps
                  where steps.org = kept.org and steps.run = kept.run and steps.step = kept.step and steps.item = -1
                  offset 0)
  and not exists (select from step_history history
                  where history.org = kept.org and history.run = kept.run and history.step = kept.step
                    and history.item = -1 and history.ended_at >= claim.accepted_at
                  offset 0)

-- Does the same for claims in pages. Each page is read once; if the page is unknown, all pages of the organisation are
-- read. The CASE keeps the planner from reading a page once for each claim.
-- name: move_claims_out_of_pages
with kept as materialized (
    select kept.org, kept.run, kept.step, kept.page
    from unnest(?::int[], ?::bigint[], ?::smallint[], ?::bigint[]) as kept (org, run, step, page)
    where not exists (select from claims
                      where claims.org = kept.org and claims.run = kept.run and claims.step = kept.step
                        and claims.item = -1
                      offset 0)
      and not exists (select from steps
                      where steps.org = kept.org and steps.run = kept.run and steps.step = kept.step and steps.item = -1
                      offset 0)
      and exists (select from runs
                  where runs.org = kept.org and runs.number = kept.run
                    and not exists (select from step_history history
                                    where history.org = kept.org and history.run = kept.run
                                      and history.step = kept.step and history.item = -1
                                      and history.ended_at >= runs.accepted_at
                                    offset 0)
                  offset 0)
)
insert into claims (org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
                    limit_needs, starts_and_waits)
select named.org, listed.run, listed.step, -1, (listed.claim ->> 1)::bigint, (listed.claim ->> 2)::int,
       listed.claim ->> 3,
       listed.claim ->> 4, (listed.claim ->> 5)::bigint, (listed.claim ->> 6)::bigint, (listed.claim ->> 7)::bigint,
       (listed.claim ->> 8)::bigint, nullif((listed.claim -> 9)::text, 'null'),
       nullif((listed.claim -> 10)::text, 'null')
from (select distinct org, page from kept) as named
     cross join lateral (select (listed.entry ->> 0)::bigint as run, (listed.entry -> 1 ->> 0)::smallint as step,
                                listed.entry -> 1 as claim
                         from claim_pages pages, json_array_elements(pages.claims::json) as listed (entry)
                         where pages.org = named.org
                           and pages.number between coalesce(named.page, 0) and coalesce(named.page,
                                                                                         9223372036854775807)
                         offset 0) as listed
where case when (named.org, coalesce(named.page, 0), listed.run, listed.step)
                in (select org, coalesce(page, 0), run, step from kept)
           then true end

-- name: insert_claim_pages
insert into claim_pages (org, number, units, claims)
select org, number, units::bigint[], claims
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[]) as new (org, number, units, claims)

-- name: delete_claim_pages
delete from claim_pages
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::bigint[]) as old (org, number),
         lateral (select claim_pages.ctid as at from claim_pages
                  where claim_pages.org = old.org and claim_pages.number = old.number offset 0) as found))

-- name: insert_runs
insert into runs (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
                  starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, initial_steps,
                  initial_claims, rate_limit_hold_until)
select org, number, id, workflow, version, priority, state::"char", accepted_at, started_at, last_grant_at,
       starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, initial_steps, initial_claims,
       rate_limit_hold_until
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[], ?::smallint[], ?::text[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::text[], ?::text[], ?::bigint[])
     as new (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
             starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, initial_steps,
             initial_claims, rate_limit_hold_until)

-- name: update_runs
update runs
set state = new.state::"char", started_at = new.started_at, last_grant_at = new.last_grant_at,
    starts_in_tick = new.starts_in_tick, limit_needs = new.limit_needs, ending = new.ending,
    overrides = new.overrides, detail = new.detail, initial_steps = coalesce(new.initial_steps, runs.initial_steps),
    initial_claims = coalesce(new.initial_claims, runs.initial_claims),
    rate_limit_hold_until = case when new.started_at is null then runs.rate_limit_hold_until end
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[],
                 ?::text[], ?::text[], ?::text[])
               as new (org, number, state, started_at, last_grant_at, starts_in_tick, limit_needs, ending, overrides,
                       detail, initial_steps, initial_claims),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: update_run_details
update runs
set limit_needs = new.limit_needs, detail = new.detail
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::text[], ?::text[])
               as new (org, number, limit_needs, detail),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: update_run_holds
update runs
set rate_limit_hold_until = new.rate_limit_hold_until
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::bigint[]) as new (org, number, rate_limit_hold_until),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: update_endings
update runs
set ending = new.ending
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::text[])
               as new (org, number, ending),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: update_overrides
update runs
set overrides = new.overrides
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::text[])
               as new (org, number, overrides),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: update_ticks
update runs
set last_grant_at = new.last_grant_at, starts_in_tick = new.starts_in_tick
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::bigint[], ?::int[])
               as new (org, number, last_grant_at, starts_in_tick),
           lateral (select runs.ctid as at from runs
                    where runs.org = new.org and runs.number = new.number offset 0) as found
      offset 0) as new
where runs.ctid = new.at

-- name: delete_runs
delete from runs
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::bigint[]) as old (org, number),
         lateral (select runs.ctid as at from runs
                  where runs.org = old.org and runs.number = old.number offset 0) as found))

-- Deletes runs of one organisation, so that the index takes the whole list at once. Before version 17 the planner might
-- not use the index this way.
-- name: delete_runs_of
delete from runs where org = ?::int and number = any (?::bigint[])

-- name: insert_run_history
insert into run_history (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
                         starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, ended_at,
                         request_hash, final_steps)
select org, number, id, workflow, version, priority, state::"char", accepted_at, started_at, last_grant_at,
       starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, ended_at, request_hash,
       final_steps
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::int[], ?::smallint[], ?::text[], ?::bigint[], ?::bigint[],
            ?::bigint[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::bigint[], ?::int[], ?::text[])
     as new (org, number, id, workflow, version, priority, state, accepted_at, started_at, last_grant_at,
             starts_in_tick, labels, start_options, limit_needs, ending, overrides, detail, ended_at, request_hash,
             final_steps)

-- Deletes claims of steps, not of items, of one organisation. The CASE keeps the planner from turning it into a join.
-- name: delete_claims_of
delete from claims
where org = ?::int and run = any (?::bigint[]) and item = -1
  and case when (run, step, fence) in (select * from unnest(?::bigint[], ?::smallint[], ?::bigint[])) then true end

-- name: delete_claims
delete from claims
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[]) as old (org, run, step, item, fence),
         lateral (select claims.ctid as at from claims
                  where claims.org = old.org and claims.run = old.run and claims.step = old.step
                    and claims.item = old.item and claims.fence = old.fence offset 0) as found))

-- A claim without a row is not extended, and its worker must not be told that it was. The transaction fails, and the
-- organisation is loaded again.
-- name: update_claims
with new as materialized (
    select * from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::bigint[])
                  as new (org, run, step, item, fence, lease_until)
), extended as (
    update claims
    set lease_until = new.lease_until
    from (select new.*, found.at
          from new,
               lateral (select claims.ctid as at from claims
                        where claims.org = new.org and claims.run = new.run and claims.step = new.step
                          and claims.item = new.item and claims.fence = new.fence offset 0) as found
          offset 0) as new
    where claims.ctid = new.at
    returning claims.run
)
select weir.require_claims((select count(*) from new), (select count(*) from extended))

-- Continues a claim with another worker.
-- name: replace_claims
update claims
set fence = new.fence, attempts = new.attempts, worker = new.worker, request = new.request, lease = new.lease,
    granted_at = new.granted_at, lease_until = new.lease_until, timeout_at = new.timeout_at,
    limit_needs = new.limit_needs,
    starts_and_waits = new.starts_and_waits
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::int[], ?::text[], ?::text[],
                  ?::bigint[],
                 ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
               as new (org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until,
                       timeout_at, limit_needs, starts_and_waits),
           lateral (select claims.ctid as at from claims
                    where claims.org = new.org and claims.run = new.run and claims.step = new.step
                      and claims.item = new.item and claims.fence < new.fence offset 0) as found
      offset 0) as new
where claims.ctid = new.at

-- name: insert_claims
insert into claims (org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
                    limit_needs, starts_and_waits)
select org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
       limit_needs, starts_and_waits
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
     as new (org, run, step, item, fence, attempts, worker, request, lease, granted_at, lease_until, timeout_at,
             limit_needs, starts_and_waits)

-- name: delete_steps
delete from steps
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[]) as old (org, run, step, item),
         lateral (select steps.ctid as at from steps
                  where steps.org = old.org and steps.run = old.run and steps.step = old.step
                    and steps.item = old.item offset 0) as found))

-- A step that became ready when its run started may have no row yet, so this inserts or updates.
-- name: update_steps
insert into steps (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
                   last_update, traits, detail)
select org, run, step, item, state::"char", fence, since, due_at, attempts, report_hash, limit_needs, input,
       last_update, traits, detail
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
             last_update, traits, detail)
on conflict (org, run, step, item) do update
set state = excluded.state, fence = excluded.fence, since = excluded.since, due_at = excluded.due_at,
    attempts = excluded.attempts, report_hash = excluded.report_hash, limit_needs = excluded.limit_needs,
    input = excluded.input,
    last_update = excluded.last_update, traits = excluded.traits, detail = excluded.detail

-- name: insert_steps
insert into steps (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
                   last_update, traits, detail)
select org, run, step, item, state::"char", fence, since, due_at, attempts, report_hash,
       limit_needs, input, last_update, traits, detail
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
             last_update, traits, detail)

-- name: update_step_details
update steps
set detail = new.detail
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[])
               as new (org, run, step, item, detail),
           lateral (select steps.ctid as at from steps
                    where steps.org = new.org and steps.run = new.run and steps.step = new.step
                      and steps.item = new.item offset 0) as found
      offset 0) as new
where steps.ctid = new.at

-- Removes a failed item from the history, because it is retried.
-- name: delete_step_history
delete from step_history
using unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[]) as old (org, run, step, item)
where step_history.org = old.org and step_history.run = old.run and step_history.step = old.step
  and step_history.item = old.item

-- name: insert_step_history
insert into step_history (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs,
                          input, last_update, traits, detail,
                          ended_at, granted_at)
select org, run, step, item, state::"char", fence, since, due_at, attempts, report_hash,
       limit_needs, input, last_update, traits, detail, ended_at, granted_at
from unnest(?::int[], ?::bigint[], ?::smallint[], ?::int[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::int[],
            ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
     as new (org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
             last_update, traits, detail, ended_at,
             granted_at)

-- name: insert_signals
insert into signals (org, run, number, name, payload, at, id, sent_by)
select org, run, number, name, payload, at, id, sent_by
from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[])
     as new (org, run, number, name, payload, at, id, sent_by)

-- name: delete_signals
delete from signals
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::bigint[], ?::bigint[]) as old (org, run, number),
         lateral (select signals.ctid as at from signals
                  where signals.org = old.org and signals.run = old.run
                    and signals.number = old.number offset 0) as found))

-- name: delete_rate_starts
delete from rate_starts
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::text[]) as old (org, "limit"),
         lateral (select rate_starts.ctid as at from rate_starts
                  where rate_starts.org = old.org and rate_starts."limit" = old."limit" offset 0) as found))

-- name: insert_rate_starts
insert into rate_starts (org, "limit", at, cost, count, period, "window", opens_window, longest_period)
select org, "limit", at, cost, count, period, "window"::"char", opens_window, longest_period
from unnest(?::int[], ?::text[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::text[], ?::boolean[], ?::bigint[])
     with ordinality as new (org, "limit", at, cost, count, period, "window", opens_window, longest_period, place)
order by place

-- name: delete_pins
delete from pins
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::text[]) as old (org, "limit"),
         lateral (select pins.ctid as at from pins
                  where pins.org = old.org and pins."limit" = old."limit" offset 0) as found))

-- name: upsert_pins
insert into pins (org, "limit", pin, period, until)
select * from unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
on conflict (org, "limit") do update set pin = excluded.pin, period = excluded.period, until = excluded.until

-- name: upsert_rate_limit_configs
insert into rate_limit_configs
    (org, scope, subject, run_key, max_concurrent_runs, max_concurrent_runs_temporary, max_concurrent_runs_until,
     runs_per_minute, runs_per_minute_temporary, runs_per_minute_until, max_concurrent_runs_per_key,
     max_concurrent_runs_per_key_temporary, max_concurrent_runs_per_key_until, max_cascade_depth,
     max_cascade_depth_temporary, max_cascade_depth_until, max_queued_runs, max_queued_runs_temporary,
     max_queued_runs_until, default_debounce, default_debounce_temporary, default_debounce_until, notice_oldest_waiter,
     notice_oldest_waiter_temporary, notice_oldest_waiter_until, notice_dead_letters, notice_dead_letters_temporary,
     notice_dead_letters_until, version, changed_at, actor, reason)
select * from unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::int[], ?::int[], ?::bigint[], ?::int[],
                     ?::int[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::int[], ?::int[], ?::bigint[],
                     ?::int[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[],
                     ?::bigint[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[],
                     ?::text[])
on conflict (org, scope, subject, run_key) do update
set max_concurrent_runs = excluded.max_concurrent_runs,
    max_concurrent_runs_temporary = excluded.max_concurrent_runs_temporary,
    max_concurrent_runs_until = excluded.max_concurrent_runs_until,
    runs_per_minute = excluded.runs_per_minute,
    runs_per_minute_temporary = excluded.runs_per_minute_temporary,
    runs_per_minute_until = excluded.runs_per_minute_until,
    max_concurrent_runs_per_key = excluded.max_concurrent_runs_per_key,
    max_concurrent_runs_per_key_temporary = excluded.max_concurrent_runs_per_key_temporary,
    max_concurrent_runs_per_key_until = excluded.max_concurrent_runs_per_key_until,
    max_cascade_depth = excluded.max_cascade_depth,
    max_cascade_depth_temporary = excluded.max_cascade_depth_temporary,
    max_cascade_depth_until = excluded.max_cascade_depth_until,
    max_queued_runs = excluded.max_queued_runs,
    max_queued_runs_temporary = excluded.max_queued_runs_temporary,
    max_queued_runs_until = excluded.max_queued_runs_until,
    default_debounce = excluded.default_debounce,
    default_debounce_temporary = excluded.default_debounce_temporary,
    default_debounce_until = excluded.default_debounce_until,
    notice_oldest_waiter = excluded.notice_oldest_waiter,
    notice_oldest_waiter_temporary = excluded.notice_oldest_waiter_temporary,
    notice_oldest_waiter_until = excluded.notice_oldest_waiter_until,
    notice_dead_letters = excluded.notice_dead_letters,
    notice_dead_letters_temporary = excluded.notice_dead_letters_temporary,
    notice_dead_letters_until = excluded.notice_dead_letters_until,
    version = excluded.version,
    changed_at = excluded.changed_at,
    actor = excluded.actor,
    reason = excluded.reason

-- name: delete_pauses
delete from pauses
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::text[]) as old (org, "limit"),
         lateral (select pauses.ctid as at from pauses
                  where pauses.org = old.org and pauses."limit" = old."limit" offset 0) as found))

-- name: upsert_pauses
insert into pauses (org, "limit", until)
select * from unnest(?::int[], ?::text[], ?::bigint[])
on conflict (org, "limit") do update set until = excluded.until

-- name: upsert_retry_after_holds
insert into retry_after_holds (org, "limit", until, status, run, step, item)
select * from unnest(?::int[], ?::text[], ?::bigint[], ?::int[], ?::text[], ?::text[], ?::int[])
on conflict (org, "limit") do update
set until = excluded.until, status = excluded.status, run = excluded.run, step = excluded.step, item = excluded.item

-- name: insert_events
insert into events (org, number, at, id, name, source, data, emitted_run, emitted_step, emitted_item, lineage, print,
                    triggers)
select org, number, at, id, name, source, data, emitted_run, emitted_step, emitted_item, lineage, print, triggers
from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::int[], ?::text[], ?::int[], ?::int[])
     as new (org, number, at, id, name, source, data, emitted_run, emitted_step, emitted_item, lineage, print, triggers)

-- name: update_events
update events
set triggers = new.triggers
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::int[])
               as new (org, number, triggers),
           lateral (select events.ctid as at from events
                    where events.org = new.org and events.number = new.number offset 0) as found
      offset 0) as new
where events.ctid = new.at

-- name: insert_event_outcomes
insert into event_outcomes (org, event, workflow, "trigger", outcome, run, "window", reason)
select org, event, workflow, "trigger", outcome, run, "window", reason
from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[])
     as new (org, event, workflow, "trigger", outcome, run, "window", reason)

-- name: upsert_debounce_windows
insert into debounce_windows (org, number, workflow, "trigger", key, opened_at, due, events, last_event)
select * from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::int[],
                     ?::bigint[])
on conflict (org, number) do update
set due = excluded.due, events = excluded.events, last_event = excluded.last_event

-- name: close_debounce_windows
update debounce_windows
set closed_at = new.closed_at, outcome = new.outcome, run = new.run, reason = new.reason
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[])
               as new (org, number, closed_at, outcome, run, reason),
           lateral (select debounce_windows.ctid as at from debounce_windows
                    where debounce_windows.org = new.org and debounce_windows.number = new.number offset 0) as found
      offset 0) as new
where debounce_windows.ctid = new.at

-- name: upsert_schedules
insert into schedules (org, workflow, "trigger", handled_to, last_run, problem)
select * from unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[])
on conflict (org, workflow, "trigger") do update
set handled_to = excluded.handled_to, last_run = excluded.last_run, problem = excluded.problem

-- name: delete_schedules
delete from schedules
where ctid = any (array(
    select found.at
    from unnest(?::int[], ?::text[], ?::text[]) as old (org, workflow, "trigger"),
         lateral (select schedules.ctid as at from schedules
                  where schedules.org = old.org and schedules.workflow = old.workflow
                    and schedules."trigger" = old."trigger" offset 0) as found))

-- name: insert_workflows
insert into workflows (org, name, version, hash, definition, registered_at)
select org, name, version, hash, definition, registered_at
from unnest(?::int[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[])
     as new (org, name, version, hash, definition, registered_at)

-- name: upsert_module_defaults
insert into module_defaults (org, module, slots, exclusive)
select * from unnest(?::int[], ?::text[], ?::int[], ?::boolean[])
on conflict (org, module) do update set slots = excluded.slots, exclusive = excluded.exclusive

-- The number of the next run, and the totals of the month. All counts of a transaction belong to the month of its last
-- one, in the time zone of the organisation.
-- name: update_organisations
with new as materialized (
    select new.*, found.at,
           date_trunc('month', timezone(coalesce(quota.time_zone, 'UTC'),
                                        to_timestamp(new.counted_at / 1000000.0)))::date as month
    from unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
             as new (org, next_run_number, counted_at, started, deferred, debounced, cascade_detected)
         cross join lateral (select organisations.ctid as at from organisations
                             where organisations.number = new.org offset 0) as found
         left join lateral (select time_zone from organisation_quotas quotas
                            where quotas.org = new.org and quotas.resource_type = 'workflow_executions'
                            offset 0) as quota on true
), counted as (
    insert into execution_counts (org, month, started, deferred, debounced, cascade_detected)
    select org, month, started, deferred, debounced, cascade_detected from new where month is not null
    on conflict (org, month) do update
    set started = execution_counts.started + excluded.started,
        deferred = execution_counts.deferred + excluded.deferred,
        debounced = execution_counts.debounced + excluded.debounced,
        cascade_detected = execution_counts.cascade_detected + excluded.cascade_detected
)
update organisations
set next_run_number = new.next_run_number
from new
where organisations.ctid = new.at and new.next_run_number is not null

-- name: update_highest_fences
update organisations
set highest_fence = new.highest_fence
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[])
               as new (org, highest_fence),
           lateral (select organisations.ctid as at from organisations
                    where organisations.number = new.org offset 0) as found
      offset 0) as new
where organisations.ctid = new.at

-- name: update_listening_spans
update organisations
set listening_spans = new.listening_spans
from (select new.*, found.at
      from unnest(?::int[], ?::text[])
               as new (org, listening_spans),
           lateral (select organisations.ctid as at from organisations
                    where organisations.number = new.org offset 0) as found
      offset 0) as new
where organisations.ctid = new.at

-- name: update_suspensions
update organisations
set suspended_at = new.suspended_at, suspension_reason = new.reason
from unnest(?::int[], ?::bigint[], ?::text[]) as new (org, suspended_at, reason)
where organisations.number = new.org

-- name: delete_workflow_availability
delete from workflow_availability
using unnest(?::int[], ?::text[]) as old (org, workflow)
where workflow_availability.org = old.org and workflow_availability.workflow = old.workflow

-- name: upsert_workflow_availability
insert into workflow_availability (org, workflow, state, since)
select *
from unnest(?::int[], ?::text[], ?::text[], ?::bigint[])
on conflict (org, workflow) do update set state = excluded.state, since = excluded.since

-- name: delete_secrets
delete from secrets
using unnest(?::int[], ?::text[]) as old (org, name)
where secrets.org = old.org and secrets.name = old.name

-- name: upsert_secrets
insert into secrets (org, name, version, key_id, sealed, changed_at)
select * from unnest(?::int[], ?::text[], ?::int[], ?::text[], ?::text[], ?::bigint[])
on conflict (org, name) do update
set version = excluded.version, key_id = excluded.key_id, sealed = excluded.sealed, changed_at = excluded.changed_at

-- name: insert_deletions
insert into deletions (id, org, org_name, run, began_at)
select new.id, new.org, organisations.name, new.run, new.began_at
from unnest(?::text[], ?::int[], ?::text[], ?::bigint[]) as new (id, org, run, began_at)
     join organisations on organisations.number = new.org
on conflict (id) do nothing

-- name: append_to_administration
select weir.append_to_administration(at, actor, origin, request_id, reason, action, target, before, after)
from unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
     as new (at, actor, origin, request_id, reason, action, target, before, after)

-- name: insert_claim_log
insert into claim_log (org, at, events)
select org, at, events
from unnest(?::int[], ?::bigint[], ?::text[]) as new (org, at, events)

-- Ends tokens at a time, which may be in the future. Earlier tokens of the same name that still work end too.
-- name: retire_tokens
update api_tokens
set revoked_at = least(api_tokens.revoked_at, timestamptz 'epoch' + old.at * interval '1 microsecond')
from unnest(?::int[], ?::text[], ?::bigint[]) as old (org, name, at)
where api_tokens.org = old.org and api_tokens.name = old.name
  and (api_tokens.revoked_at is null
       or api_tokens.revoked_at > timestamptz 'epoch' + old.at * interval '1 microsecond')

-- name: insert_tokens
insert into api_tokens (org, name, hash, role, scopes, administrator, created_at, expires_at, created_by,
                        request_id, revoked_at)
select org, name, decode(hash, 'hex'), role, scopes, administrator,
       timestamptz 'epoch' + created_at * interval '1 microsecond', expires_at, created_by,
       request_id, timestamptz 'epoch' + revoked_at * interval '1 microsecond'
from unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::bigint[], ?::bigint[], ?::text[],
            ?::text[], ?::bigint[])
     as new (org, name, hash, role, scopes, administrator, created_at, expires_at, created_by, request_id, revoked_at)

-- name: insert_audit_entries
insert into audit_entries (org, number, at, actor, origin, request_id, reason, action, target, before, after,
                           previous_hash, hash)
select * from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                     ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])

-- name: insert_dead_letters
insert into dead_letters (org, number, at, kind, reason, subject, workflow, keys, message, chain, caused_by, submission)
select org, number, at, kind::"char", reason, subject, workflow, keys::jsonb, message, chain, caused_by, submission
from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::text[], ?::text[], ?::text[])
     as new (org, number, at, kind, reason, subject, workflow, keys, message, chain, caused_by, submission)

-- Keeps only the newest refused starts of an organisation.
-- name: trim_refused_starts
delete from dead_letters
using (select new.org, kept.number
       from unnest(?::int[], ?::int[]) as new (org, most)
            cross join lateral (select number from dead_letters
                                where org = new.org and kind = 's'
                                order by number desc offset new.most - 1 limit 1) as kept
       offset 0) as oldest
where dead_letters.org = oldest.org and dead_letters.kind = 's' and dead_letters.number < oldest.number

-- name: close_dead_letters
update dead_letters
set state = new.state::"char", closed_at = new.closed_at, redriven_as = new.redriven_as
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::text[], ?::bigint[], ?::text[])
               as new (org, number, state, closed_at, redriven_as),
           lateral (select dead_letters.ctid as at from dead_letters
                    where dead_letters.org = new.org and dead_letters.number = new.number offset 0) as found
      offset 0) as new
where dead_letters.ctid = new.at

-- name: update_last_dead_letters
update organisations
set last_dead_letter = new.last_dead_letter
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[])
               as new (org, last_dead_letter),
           lateral (select organisations.ctid as at from organisations
                    where organisations.number = new.org offset 0) as found
      offset 0) as new
where organisations.ctid = new.at

-- name: close_notices
update notices
set closed_at = new.closed_at
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[], ?::bigint[])
               as new (org, number, closed_at),
           lateral (select notices.ctid as at from notices
                    where notices.org = new.org and notices.number = new.number offset 0) as found
      offset 0) as new
where notices.ctid = new.at

-- name: insert_notices
insert into notices (org, number, opened_at, closed_at, kind, severity, subject, used, max)
select * from unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                     ?::bigint[])

-- Keeps only the newest closed notices of an organisation.
-- name: trim_notices
delete from notices
using (select new.org, kept.number
       from unnest(?::int[], ?::int[]) as new (org, most)
            cross join lateral (select number from notices
                                where org = new.org and closed_at is not null
                                order by number desc offset new.most - 1 limit 1) as kept
       offset 0) as oldest
where notices.org = oldest.org and notices.closed_at is not null and notices.number < oldest.number

-- name: update_last_notices
update organisations
set last_notice = new.last_notice
from (select new.*, found.at
      from unnest(?::int[], ?::bigint[])
               as new (org, last_notice),
           lateral (select organisations.ctid as at from organisations
                    where organisations.number = new.org offset 0) as found
      offset 0) as new
where organisations.ctid = new.at
