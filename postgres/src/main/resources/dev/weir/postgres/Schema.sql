-- Roles belong to the whole server: another database of it may have made them already, or be making them now.
-- name: make_roles
do $$
declare
    name text;
begin
    foreach name in array array['weir_engine', 'weir_request', 'weir_starter'] loop
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I nologin', name);
            end if;
            -- Who has made a role may not yet act as it. A role that somebody else has made may have been granted before.
            if not (select rolsuper from pg_roles where rolname = current_user) then
                execute format('grant %I to current_user', name);
            end if;
        exception when duplicate_object or unique_violation or insufficient_privilege then
            null;
        end;
    end loop;
    -- It writes for every organisation anyway, and only a role that row-level security does not watch may copy rows in.
    -- Where nobody here may say so, rows are inserted instead.
    begin
        if not (select rolbypassrls from pg_roles where rolname = 'weir_engine') then
            alter role weir_engine bypassrls;
        end if;
    exception when insufficient_privilege then
        null;
    end;
end $$
