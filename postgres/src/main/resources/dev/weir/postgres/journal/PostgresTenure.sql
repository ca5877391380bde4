-- Rows are found one by one, from the few to the many: "lateral ... offset 0" leaves the planner no other order.

-- name: fence
select weir.fence(?, ?)

-- name: fence_by
select weir.fence(?, ?, ?, ?)

-- name: organisations
select name from organisations
where shard = ? and exists (select from runs where runs.org = organisations.number)
order by name

-- name: organisation
select number, shard, next_run from organisations where name = ?

-- name: definition
select definition from workflows where org = ? and name = ? and version = ?

-- name: claims
select run.id, claims.step, claims.item, claims.fence, claims.until, run.workflow, run.version
from claims,
     lateral (select * from runs where runs.org = claims.org and runs.number = claims.run offset 0) as run
where claims.org = ? and claims.run >= ?

-- name: slice_runs
select id, number, state, workflow, version from runs where org = ? and number > ? order by number limit ?

-- What open_steps has, the first of it: each half is cut by itself, so that nothing is sorted of a run with a million items.
-- name: slice_steps
select steps.run, steps.step, steps.item,
       case when claim.fence > steps.fence then 'u' else steps.state end as state,
       greatest(steps.fence, claim.fence) as fence
from ((select org, run, step, item, state, fence
       from steps
       where org = ? and run between ? and ?
       order by org, run, step, item
       limit ?)
      union all
      (select org, run, step, item, state, fence
       from open_steps
       where org = ? and run between ? and ? and as_opened
       order by run, step
       limit ?)) as steps
     left join lateral (select fence from claims
                        where claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                          and claims.item = steps.item
                        offset 0) as claim on true
order by steps.run, steps.step, steps.item
limit ?

-- The owner has looked at what lies in the inbox; what it took is gone with its commit.
-- name: take_inbox
with taken as (
    delete from inbox
    where ctid = any (array(select next.ctid
                            from (select oldest.ctid, row_number() over line as place,
                                         sum(octet_length(oldest.request::text)) over line as bytes
                                  from (select inbox.ctid, inbox.id, inbox.request
                                        from inbox join organisations on organisations.number = inbox.org
                                        where organisations.shard = ? and organisations.name <> all (?)
                                        order by inbox.id
                                        limit ?) as oldest
                                  window line as (order by oldest.id)) as next
                            where next.bytes <= ? or next.place = 1))
    returning org, id, by, request
)
select organisations.name, taken.by, taken.request
from taken join organisations on organisations.number = taken.org
order by taken.id
