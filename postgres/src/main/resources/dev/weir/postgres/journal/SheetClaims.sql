-- name: sheets
select number, claims from claim_sheets where org = ?
