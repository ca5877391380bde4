-- The first tables of a schema that no migration has made; null if there are none.
-- name: other_tables
select string_agg(relname, ', ' order by relname) as names
from (select relname::text as relname
      from pg_class
      where relnamespace = to_regnamespace('weir') and relkind in ('r', 'p', 'v', 'm', 'f')
        and to_regclass('weir.flyway_schema_history') is null
      order by relname
      limit 5) as first

-- Roles belong to the whole server. Another database of it may have created them already, or be creating them now.
-- name: make_roles
do $$
declare
    name text;
begin
    foreach name in array array['weir_engine', 'weir_request', 'weir_starter', 'weir_reader'] loop
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I nologin', name);
            end if;
            -- The creator of a role is not automatically allowed to act as it. A role created by somebody else may
            -- already be granted.
            if not (select rolsuper from pg_roles where rolname = current_user) then
                execute format('grant %I to current_user', name);
            end if;
        exception when duplicate_object or unique_violation or insufficient_privilege then
            null;
        end;
    end loop;
    -- The role writes for every organisation anyway, and COPY requires a role that is not subject to row-level
    -- security. If the current user may not change the role, rows are inserted without COPY.
    begin
        if not (select rolbypassrls from pg_roles where rolname = 'weir_engine') then
            alter role weir_engine bypassrls;
        end if;
    exception when insufficient_privilege then
        null;
    end;
end $$
