-- name: emitted
select emitted.run, emitted.step, emitted.root, emitted.depth, emitted.event, emitted.data::text, emitted.at
from weir.emitted_events emitted join weir.organisations on organisations.number = emitted.org
where organisations.name = 'default' and emitted.root = 'told-1'
order by emitted.seq
