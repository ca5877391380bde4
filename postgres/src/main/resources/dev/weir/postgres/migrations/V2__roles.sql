-- Who may do what. weir_engine writes for every organisation, weir_request reads for the one that its transaction names,
-- weir_starter leaves starts in the inbox from transactions of other programs. Owners are held to it too.

grant usage on schema weir to weir_engine, weir_request, weir_starter;

do $$
declare
    name text;
    policy text;
begin
    for name in select relname from pg_class
                where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p') and not relispartition
                  and relname not in ('shards', 'flyway_schema_history') loop
        policy := case name when 'organisations' then 'number' else 'org' end
                  || ' = nullif(current_setting(''weir.org'', true), '''')::int';
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        if name not in ('api_tokens', 'inbox') then
            execute format('grant select on weir.%I to weir_request', name);
            execute format('create policy request on weir.%I for select to weir_request using (%s)', name, policy);
        end if;
    end loop;
    for name in select relname from pg_class
                where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p')
                  and relname not in ('shards', 'flyway_schema_history') loop
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;

grant select on claim_events, open_steps, ended_steps to weir_engine, weir_request;
grant select, update on shards to weir_engine;
grant usage, select on all sequences in schema weir to weir_engine;

grant insert on inbox to weir_starter;
grant select (number, name) on organisations to weir_starter;
create policy starter on inbox for insert to weir_starter with check (true);
create policy starter on organisations for select to weir_starter using (true);
