-- Claims that were granted after their runs were written share rows, those of one transaction one or a few, as lists of run
-- and what runs.claimed has of a claim. As with that, such a claim is over once there is a row of its step, open or ended;
-- one that changes, or goes on while its step changes, gets a row of its own before. A sheet is deleted when none of its
-- claims lives. units has for each in the same order its run's number times 65536, and its step: what is searched for one
-- claim is not taken apart for nothing.
create table claim_sheets (
    number bigint   not null,
    org    int      not null,
    units  bigint[] not null,
    claims text     not null,
    primary key (org, number)
);

grant select, insert, delete on claim_sheets to weir_engine;
grant select on claim_sheets to weir_request;
alter table claim_sheets enable row level security;
alter table claim_sheets force row level security;
create policy engine on claim_sheets to weir_engine using (true) with check (true);
create policy request on claim_sheets for select to weir_request
    using (org = nullif(current_setting('weir.org', true), '')::int);

-- Steps that are open, with what was written of their claims when their runs started.
alter view open_steps rename to opened_steps;

-- And with what is written of their claims in sheets.
create view open_steps with (security_invoker = true) as
select steps.org, steps.run, steps.step, steps.item, steps.state, steps.fence, steps.since, steps.due, steps.attempts,
       steps.report, steps.ask, steps.input, steps.last, steps.traits, steps.detail, steps.as_opened,
       coalesce(steps.claim, listed.claim) as claim
from opened_steps steps
     left join lateral (select sheets.claims::json
                                   -> (array_position(sheets.units, steps.run * 65536 + steps.step) - 1) -> 1 as claim
                        from claim_sheets sheets
                        where steps.as_opened and steps.claim is null
                          and sheets.org = steps.org and steps.run * 65536 + steps.step = any (sheets.units)
                        limit 1) as listed on true;

-- As before, of these: claims that are written with their runs or in sheets, as rows.
create or replace view claims_within with (security_invoker = true) as
select steps.org,
       steps.run,
       steps.step,
       steps.item,
       (steps.claim ->> 1)::bigint               as fence,
       (steps.claim ->> 2)::int                  as attempts,
       steps.claim ->> 3                         as worker,
       steps.claim ->> 4                         as request,
       (steps.claim ->> 5)::bigint               as lease,
       (steps.claim ->> 6)::bigint               as granted_at,
       (steps.claim ->> 7)::bigint               as until,
       (steps.claim ->> 8)::bigint               as timeout_at,
       nullif((steps.claim -> 9)::text, 'null')  as ask,
       nullif((steps.claim -> 10)::text, 'null') as starts
from open_steps steps
where steps.claim is not null
  and not exists (select from claims
                  where claims.org = steps.org and claims.run = steps.run and claims.step = steps.step
                    and claims.item = steps.item
                  offset 0);

grant select on open_steps to weir_engine, weir_request;
