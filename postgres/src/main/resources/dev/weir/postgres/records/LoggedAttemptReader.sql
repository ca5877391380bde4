-- Attempts that have logged something, newest run first, and whether their step has a key. Rows of steps are in four
-- places; see run_has_key. The limit keeps a page cheap, whatever the key.
-- name: logged_attempts
select examined.run, examined.step, examined.item, examined.attempt, examined.at,
       runs.id as run_id, listed.step ->> 'id' as step_id,
       exists (select from json_array_elements(runs.initial_steps::json) as step (entry)
               where examined.item = -1 and (step.entry ->> 0)::int = examined.step
                 and ?::text = any (step_keys(coalesce(nullif((step.entry -> 1)::text, 'null'), '0'), listed.step)))
       or exists (select from json_array_elements(runs.final_steps::json) as step (entry)
                  where examined.item = -1 and (step.entry ->> 0)::int = examined.step
                    and ?::text = any (step_keys((step.entry -> 7)::text, listed.step)))
       or exists (select from steps
                  where steps.org = examined.org and steps.run = examined.run and steps.step = examined.step
                    and steps.item = examined.item and ?::text = any (step_keys(steps.limit_needs, listed.step)))
       or exists (select from step_history history
                  where history.org = examined.org and history.run = examined.run and history.step = examined.step
                    and history.item = examined.item and history.ended_at >= runs.accepted_at
                    and ?::text = any (step_keys(history.limit_needs, listed.step))) as has_key
from (select org, run, step, item, attempt, max(at) as at
      from attempt_log
      where org = ? and (run, step, item, attempt) < (?, ?, ?, ?)
      group by org, run, step, item, attempt
      order by run desc, step desc, item desc, attempt desc
      limit ?) as examined
     cross join lateral (select id, workflow, version, accepted_at, initial_steps, null::text as final_steps
                         from runs
                         where runs.org = examined.org and runs.number = examined.run
                         union all
                         select id, workflow, version, accepted_at, null, final_steps
                         from run_history
                         where run_history.org = examined.org and run_history.number = examined.run
                         offset 0) as runs
     join workflows on workflows.org = examined.org and workflows.name = runs.workflow
                   and workflows.version = runs.version
     cross join lateral (select workflows.step_list -> examined.step::int as step) as listed
order by examined.run desc, examined.step desc, examined.item desc, examined.attempt desc

-- The stored log of an attempt, which can have several claims. Text was dropped if it is shorter than its end says.
-- name: log_of_attempt
select string_agg(text, '' order by fence) as text, bool_or(truncated) as truncated
from (select fence, string_agg(text, '' order by chunk) as text,
             sum(octet_length(text)) < max(end_byte) as truncated
      from attempt_log
      where org = ? and run = ? and step = ? and item = ? and attempt = ?
      group by fence) as claims
