-- Partitions are made one by one, each in a transaction of its own, and without stopping those who write.
drop function make_partitions(bigint, int);

-- The weeks from the given time on that have no partition yet. A week of which the default partition has rows already
-- stays there.
create function missing_partitions(from_at bigint, weeks int) returns table (parent text, starts_at bigint)
    language plpgsql stable as $$
declare
    week constant bigint := 7::bigint * 24 * 60 * 60 * 1000000;
    time_of text;
    there boolean;
begin
    for i in 0 .. weeks - 1 loop
        starts_at := (from_at / week + i) * week;
        foreach parent in array array['run_history', 'step_history', 'claim_log', 'attempt_log'] loop
            continue when to_regclass('weir.' || weir.partition_of(parent, starts_at)) is not null;
            time_of := case when parent in ('run_history', 'step_history') then 'ended_at' else 'at' end;
            execute format('select exists (select from weir.%I where %I >= %s and %I < %s)',
                           parent, time_of, starts_at, time_of, starts_at + week) into there;
            continue when there;
            return next;
        end loop;
    end loop;
end $$;

create function partition_of(parent text, starts_at bigint) returns text language sql immutable as $$
    select parent || to_char(to_timestamp(starts_at / 1000000) at time zone 'UTC', '_YYYYMMDD')
$$;

-- To be made as a part of the table right away, it would lock all of it. A table that is attached locks none but the
-- default partition, which nobody writes to while there are others.
create function make_partition(parent text, starts_at bigint) returns void language plpgsql as $$
declare
    week constant bigint := 7::bigint * 24 * 60 * 60 * 1000000;
    name constant text := weir.partition_of(parent, starts_at);
begin
    execute format('create table weir.%I (like weir.%I including defaults including constraints)', name, parent);
    execute format('alter table weir.%I enable row level security', name);
    execute format('alter table weir.%I force row level security', name);
    execute format('alter table weir.%I attach partition weir.%I for values from (%s) to (%s)',
                   parent, name, starts_at, starts_at + week);
end $$;
