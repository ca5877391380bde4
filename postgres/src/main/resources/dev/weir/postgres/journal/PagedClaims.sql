-- name: pages
select number, claims from claim_pages where org = ?

-- Returns those of the given steps that have rows, which means that their claims in pages are over.
-- name: with_rows
select named.run, named.step
from unnest(?::bigint[], ?::smallint[]) as named (run, step),
     lateral (select from steps
              where steps.org = ? and steps.run = named.run and steps.step = named.step and steps.item = -1
              offset 0) as row
