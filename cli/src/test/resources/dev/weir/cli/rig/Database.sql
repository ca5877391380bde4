-- The queries of the checkers. They do not use Weir's own classes.

-- name: events
select seq, position, at, kind, run, step, item, fence, limit_needs::text as limit_needs, "limit", value::text as value
from weir.claim_events
order by seq, position

-- name: runs
select number, id, workflow, state::text as state, started_at, ended_at from weir.run_history
union all
select number, id, workflow, state::text as state, started_at, null from weir.runs

-- name: steps
select run, step, item, state::text as state, fence, last_update from weir.stored_ended_steps

-- name: left
select 'claims' as kind, count(*) as rows from weir.stored_live_claims
union all select 'rows of claims', count(*) from weir.claims
union all select 'open steps', count(*) from weir.stored_live_steps
union all select 'living runs', count(*) from weir.runs
union all select 'pins', count(*) from weir.pins
union all select 'starts in the inbox', count(*) from weir.inbox

-- name: living
select count(*) from weir.runs

-- name: epoch
select max(epoch) from weir.shards

-- name: move
update weir.organisations set shard = ? where name = ?

-- All rows of an organisation, from every table that has an org column. Rows that are stored in lists within other
-- rows, or sometimes together with them, are read from the views that contain all of them.
-- name: kept
select relations.name,
       query_to_xml(format('select to_jsonb(kept) as json from weir.%I kept where org = %s',
                           relations.name, organisations.number), true, false, '')::text as rows
from (select relations.relname as name
      from pg_class relations join pg_attribute on attrelid = relations.oid and attname = 'org'
      where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
        and relname not in ('api_tokens', 'steps', 'stored_initial_steps', 'step_history', 'claim_log')) as relations,
     weir.organisations
where organisations.name = ?
order by 1
