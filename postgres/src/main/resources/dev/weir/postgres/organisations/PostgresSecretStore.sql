-- name: find
select organisations.number, secrets.key_id, secrets.sealed
from organisations left join secrets on secrets.org = organisations.number and secrets.name = ?
where organisations.name = ? and organisations.deletion_began_at is null

-- name: key_ids
select distinct key_id from secrets
