-- name: sheets
select number, claims from claim_sheets where org = ?

-- Those of these steps that have rows, so that what sheets have of them is over.
-- name: with_rows
select named.run, named.step
from unnest(?::bigint[], ?::smallint[]) as named (run, step),
     lateral (select from steps
              where steps.org = ? and steps.run = named.run and steps.step = named.step and steps.item = -1
              offset 0) as row
