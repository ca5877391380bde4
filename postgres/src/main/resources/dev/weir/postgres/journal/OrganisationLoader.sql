-- name: runs
select runs.number, runs.id, runs.workflow, runs.version, runs.priority, runs.state, runs.accepted_at, runs.started_at,
       runs.last_grant_at, runs.starts_in_tick, run_ids.input, run_ids.started_by, runs.labels, runs.start_options,
       runs.limit_needs, runs.ending, runs.overrides, runs.detail, runs.rate_limit_hold_until
from runs join run_ids on run_ids.org = runs.org and run_ids.id = runs.id
where runs.org = ?
order by runs.number

-- Open steps and items, and the ended ones of live runs. The history of a run begins when it was accepted. A step that
-- was written when its run started is sorted after any newer row of the same step; the loader skips it, because a check
-- here would cost more. The same applies to the claim that was written with it.
-- name: steps
select steps.run, steps.step, steps.item, steps.state, steps.fence, steps.since, steps.due_at, steps.attempts,
       steps.report_hash, steps.limit_needs, steps.input, steps.last_update, steps.traits, steps.detail,
       steps.is_initial,
       coalesce(claims.fence, (steps.claim ->> 1)::bigint) as claim_fence,
       coalesce(claims.attempts, (steps.claim ->> 2)::int) as claim_attempts,
       case when claims.fence is null then steps.claim end as claim, null::bigint as ended_at
from (select org, run, step, item, state, fence, since, due_at, attempts, report_hash, limit_needs, input,
             last_update, traits, detail,
             false as is_initial, null::json as claim
      from steps
      union all
      select runs.org, runs.number, (step.entry ->> 0)::smallint, -1, 'r'::"char", 0, runs.started_at, null, 0, null,
             coalesce(nullif((step.entry -> 1)::text, 'null'), '0'), nullif((step.entry -> 2)::text, 'null'), null,
             null, null, true,
             case when runs.initial_claims is not null
                  then (select claim.entry from json_array_elements(runs.initial_claims::json) as claim (entry)
                        where (claim.entry ->> 0)::smallint = (step.entry ->> 0)::smallint)
             end
      from runs, json_array_elements(runs.initial_steps::json) as step (entry)) as steps
     left join claims on claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                     and claims.item = steps.item
where steps.org = ?
union all
select history.run, history.step, history.item, history.state, history.fence, history.since, history.due_at,
       history.attempts, history.report_hash, history.limit_needs, history.input, history.last_update, history.traits,
       history.detail, false,
       null, null, null, history.ended_at
from runs
     join step_history history on history.org = runs.org and history.run = runs.number
                              and history.ended_at >= runs.accepted_at
where runs.org = ?
order by run, step, item, is_initial

-- Claims that have rows of their own.
-- name: claims
select claims.run, claims.step, claims.item, claims.fence, claims.worker, claims.request, claims.lease,
       claims.granted_at, claims.lease_until, claims.timeout_at, claims.limit_needs, claims.starts_and_waits
from claims
where claims.org = ?
order by claims.run, claims.step, claims.item

-- name: signals
select run, id, number, name, payload, at, sent_by from signals where org = ? order by run, number

-- Starts that still count, as defined by Lookback. The query asks the index for one limit after the other, so that
-- starts that no longer count are not even read.
--
-- The newest starts of a limit are read one by one, as many as a rate remembers. Older starts matter only to windows
-- that count more or are fixed. For these windows the starts of one bucket can be merged into one, with the rate that
-- counts most. A start that opened a window that is still open stays separate, because earlier starts are not in that
-- window.
-- name: starts
with recursive given as (
    select ?::int as org, ?::bigint as now, ?::bigint as least, ?::int as remembered
), limits as (
    (select starts."limit" from rate_starts starts, given where starts.org = given.org order by starts."limit" limit 1)
    union all
    select next."limit"
    from limits
         cross join given
         cross join lateral (select starts."limit" from rate_starts starts
                             where starts.org = given.org and starts."limit" > limits."limit"
                             order by starts."limit" limit 1) as next
), counted as (
    select given.org, given.now, given.remembered, limits."limit",
           greatest(given.least, newest.longest, asked.period) as period,
           (greatest(given.least, newest.longest, asked.period) + given.remembered - 1) / given.remembered as bucket
    from limits
         cross join given
         cross join lateral (select coalesce(starts.longest_period, starts.period) as longest from rate_starts starts
                             where starts.org = given.org and starts."limit" = limits."limit"
                             order by starts.at desc, starts.seq desc limit 1) as newest
         left join unnest(?::text[], ?::bigint[]) as asked ("limit", period) on asked."limit" = limits."limit"
)
select counted."limit", counting.at, counting.cost, counting.count, counting.period, counting."window",
       counting.opens_window,
       counting.longest_period
from counted
     cross join lateral (
        (select starts.seq, starts.at, starts.cost::bigint, starts.count, starts.period, starts."window",
                starts.opens_window,
                starts.longest_period
         from rate_starts starts
         where starts.org = counted.org and starts."limit" = counted."limit"
           and starts.at > counted.now - counted.period - counted.bucket
         order by starts.at desc, starts.seq desc limit counted.remembered)
        union all
        (select max(seq), max(at), sum(cost)::bigint, (max(rate))[1]::int, (max(rate))[2],
                chr((max(rate))[3]::int)::"char", alone is not null, max(longest_period)
         from (select starts.seq, starts.at, starts.cost, starts.longest_period,
                      case when starts.count is not null
                           then array[starts.count, starts.period, ascii(starts."window"::text)] end as rate,
                      case when starts.opens_window and starts.at + starts.period > counted.now then starts.seq end as alone,
                      count(*) filter (where starts.opens_window and starts.at + starts.period > counted.now)
                          over (order by starts.at desc, starts.seq desc) as opened_since
               from rate_starts starts
               where starts.org = counted.org and starts."limit" = counted."limit"
                 and starts.at > counted.now - counted.period - counted.bucket
               order by starts.at desc, starts.seq desc offset counted.remembered) as older
         group by alone, opened_since, at / counted.bucket)) as counting
order by counting.seq

-- name: pins
select "limit", pin from pins where org = ?

-- name: rate_limit_configs
select scope, subject, run_key, max_concurrent_runs, max_concurrent_runs_temporary, max_concurrent_runs_until, runs_per_minute,
       runs_per_minute_temporary, runs_per_minute_until, max_concurrent_runs_per_key,
       max_concurrent_runs_per_key_temporary, max_concurrent_runs_per_key_until, max_cascade_depth,
       max_cascade_depth_temporary, max_cascade_depth_until, max_queued_runs, max_queued_runs_temporary,
       max_queued_runs_until, default_debounce, default_debounce_temporary, default_debounce_until, notice_oldest_waiter,
       notice_oldest_waiter_temporary, notice_oldest_waiter_until, notice_dead_letters, notice_dead_letters_temporary,
       notice_dead_letters_until, version, changed_at, actor, reason
from rate_limit_configs where org = ?

-- name: pauses
select "limit", until from pauses where org = ?

-- name: retry_after_holds
select "limit", until, status, run, step, item from retry_after_holds where org = ?

-- name: module_defaults
select module, slots, exclusive from module_defaults where org = ?

-- name: workflows
select distinct on (name) name, version, hash, trigger_list::text as trigger_list
from workflows where org = ? order by name, version desc

-- name: tokens
select name, encode(hash, 'hex') as hash, role, scopes, administrator,
       (extract(epoch from created_at) * 1000000)::bigint as created_at, expires_at, created_by,
       request_id
from api_tokens
where org = ? and revoked_at is null

-- name: audit_head
select number, hash from audit_entries where org = ? order by number desc limit 1
