-- The highest fence that an organisation has ever given. It survives the rows of claims: no step is given a fence twice,
-- whatever becomes of these. Where rows that were written before have higher ones, the engine goes on from the highest.
alter table organisations add column highest_fence bigint not null default 0;

-- Fails a transaction that extends a claim whose row is gone.
create function require_claims(expected bigint, extended bigint) returns void language plpgsql as $$
begin
    if extended <> expected then
        raise exception 'expected % claims to extend, found the rows of %', expected, extended
            using errcode = 'integrity_constraint_violation';
    end if;
end $$;
