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
