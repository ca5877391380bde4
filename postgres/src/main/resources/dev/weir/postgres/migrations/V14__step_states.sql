-- The state of every step and item in words, for people who look into the database. A grant does not touch the row of a
-- step: a claim says that it runs.
create view step_states with (security_invoker = true) as
select steps.org,
       runs.id as run,
       workflows.definition::json -> 'steps' -> steps.step ->> 'id' as step,
       nullif(steps.item, -1) as item,
       case when claims.fence is not null and steps.state <> 'i' then 'running'
            else case steps.state
                when 'r' then 'ready'
                when 'q' then 'requested'
                when 'u' then 'running'
                when 'i' then 'needs_input'
                when 'o' then 'backing_off'
                when 'w' then 'waiting'
            end
       end as state
from open_steps steps
     join runs on runs.org = steps.org and runs.number = steps.run
     join workflows on workflows.org = runs.org and workflows.name = runs.workflow and workflows.version = runs.version
     left join open_claims claims on claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                                 and claims.item = steps.item
union all
select steps.org,
       ids.id,
       workflows.definition::json -> 'steps' -> steps.step ->> 'id',
       nullif(steps.item, -1),
       case steps.state
           when 'c' then 'completed'
           when 'f' then 'failed'
           when 'x' then 'cancelled'
           when 's' then 'skipped'
       end
from ended_steps steps
     join lateral (select id, workflow, version from runs where runs.org = steps.org and runs.number = steps.run
                   union all
                   select id, workflow, version from run_history where run_history.org = steps.org
                                                                    and run_history.number = steps.run) as ids on true
     join workflows on workflows.org = steps.org and workflows.name = ids.workflow and workflows.version = ids.version;

grant select on step_states to weir_engine, weir_request;
