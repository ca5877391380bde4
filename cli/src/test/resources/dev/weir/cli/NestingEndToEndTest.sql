-- name: emitted
select events.emitted_run as run, events.emitted_step as step, events.lineage::json ->> 'root' as root,
       (events.lineage::json ->> 'depth')::int as depth, events.name as event, events.data, events.at
from weir.events join weir.organisations on organisations.number = events.org
where organisations.name = 'default' and events.lineage::json ->> 'root' = 'told-1'
order by events.number
