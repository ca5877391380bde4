-- A pin has a lasting and a temporary value of each field: one text holds them all. until says when none is left, period
-- is the longest of its rates, for those who forget old starts.
-- The owner reads and writes the rows of all organisations only while row-level security is not forced on it.
alter table pins add column pin text;
alter table pins no force row level security;
update pins
set pin = (case
               when until = 9223372036854775807
                   then jsonb_strip_nulls(jsonb_build_object(
                       'parallelism', parallelism,
                       'rate', case when count is not null then jsonb_build_array(count, period, "window"::text) end))
               else jsonb_strip_nulls(jsonb_build_object(
                       'parallelism_for',
                       case when parallelism is not null then jsonb_build_array(parallelism, until) end,
                       'rate_for',
                       case when count is not null
                            then jsonb_build_array(jsonb_build_array(count, period, "window"::text), until) end))
           end)::text;
alter table pins force row level security;
alter table pins
    alter column pin set not null,
    drop column parallelism,
    drop column count,
    drop column "window";

-- Who was told to call later, and with which status.
alter table holds
    add column status int,
    add column run text,
    add column step text,
    add column item int;
