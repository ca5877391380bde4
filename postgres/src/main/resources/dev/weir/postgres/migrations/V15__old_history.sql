-- Old history goes in whole weeks. A week of steps or logs may hold rows of runs that live, or that ended later: only these
-- are kept, in a smaller partition of the same week.

-- For small deletes of what has no partitions.
create index emitted_at on emitted using brin (at);

-- The weeks that ended before a time and were not yet cleared for it. Runs come first: which steps and logs are kept depends on
-- the runs that are left. The comment of a smaller partition says for which time it was cleared.
create function old_weeks(before bigint) returns table (parent text, starts_at bigint) language sql stable as $$
    select weeks.parent, weeks.starts_at
    from (select parents.relname::text as parent,
                 extract(epoch from to_date(substring(parts.relname from '_([0-9]{8})$'), 'YYYYMMDD'))::bigint * 1000000
                     as starts_at,
                 coalesce(substring(obj_description(parts.oid, 'pg_class') from '[0-9]+')::bigint, 0) as cleared_for
          from pg_inherits
               join pg_class parents on parents.oid = pg_inherits.inhparent
               join pg_class parts on parts.oid = pg_inherits.inhrelid
          where parents.relkind = 'p' and parents.relnamespace = 'weir'::regnamespace) as weeks
    where weeks.starts_at + 7::bigint * 24 * 60 * 60 * 1000000 <= before and weeks.cleared_for < before
    order by weeks.parent <> 'run_history', weeks.starts_at, weeks.parent
$$;

-- Copies what is kept of a week into a table beside it, and returns how many rows that are. It locks these rows only: nobody can
-- take one out of the history before the table has taken the place of the partition.
--
-- No run has rows here whose number is higher than the highest of its organisation here. So the runs to look for are those with
-- lower numbers that live or are left in the history, which are few, and not all that have rows here.
create function copy_kept(parent text, starts_at bigint) returns bigint language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    ends_at constant bigint := starts_at + 7::bigint * 24 * 60 * 60 * 1000000;
    kept_table constant text := weir.partition_of(parent, starts_at) || '_kept';
    time_of constant text := case parent when 'step_history' then 'ended_at' else 'at' end;
    kept bigint;
begin
    if parent not in ('step_history', 'attempt_log') then
        return 0;
    end if;
    execute format('create table weir.%I (like weir.%I including defaults including constraints including indexes,'
                   ' constraint of_week check (%I >= %s and %I < %s))',
                   kept_table, parent, time_of, starts_at, time_of, ends_at);
    execute format($copy$
        insert into weir.%1$I
        with recursive orgs as (
            (select week.org from weir.%2$I week
             where week.%3$I >= %4$s and week.%3$I < %5$s
             order by week.org limit 1)
            union all
            select next.org
            from orgs
                 cross join lateral (select week.org from weir.%2$I week
                                     where week.%3$I >= %4$s and week.%3$I < %5$s and week.org > orgs.org
                                     order by week.org limit 1) as next
        ), highest as (
            select orgs.org, (select week.run from weir.%2$I week
                              where week.%3$I >= %4$s and week.%3$I < %5$s and week.org = orgs.org
                              order by week.run desc limit 1) as run
            from orgs
        ), left_over as (
            select highest.org, runs.number as run
            from highest join weir.runs on runs.org = highest.org and runs.number <= highest.run
            union all
            select highest.org, history.number
            from highest join weir.run_history history on history.org = highest.org and history.number <= highest.run
        )
        select week.*
        from left_over
             join weir.%2$I week on week.org = left_over.org and week.run = left_over.run
        where week.%3$I >= %4$s and week.%3$I < %5$s
        for share of week
        $copy$, kept_table, parent, time_of, starts_at, ends_at);
    get diagnostics kept = row_count;
    if kept = 0 then
        execute format('drop table weir.%I', kept_table);
    end if;
    return kept;
end $$;

-- Drops the partition of a week; if rows of it were kept, their table takes its place. Whoever reads or writes the table waits
-- meanwhile. That takes no longer for many rows than for few: indexes and the check of the week are there already.
create function drop_week(parent text, starts_at bigint, kept boolean, before bigint) returns void language plpgsql as $$
declare
    name constant text := weir.partition_of(parent, starts_at);
begin
    execute format('lock table only weir.%I in access exclusive mode', parent);
    execute format('lock table weir.%I, weir.%I in access exclusive mode nowait', name, parent || '_rest');
    execute format('alter table weir.%I detach partition weir.%I', parent, name);
    execute format('drop table weir.%I', name);
    if kept then
        execute format('alter table weir.%I rename to %I', name || '_kept', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
        execute format('alter table weir.%I attach partition weir.%I for values from (%s) to (%s)',
                       parent, name, starts_at, starts_at + 7::bigint * 24 * 60 * 60 * 1000000);
        execute format('alter table weir.%I drop constraint of_week', name);
        execute format('comment on table weir.%I is %L', name, 'cleared of runs that ended before ' || before);
    end if;
end $$;
