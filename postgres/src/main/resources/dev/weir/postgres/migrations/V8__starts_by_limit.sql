-- Starts are read, reset and forgotten limit by limit, the newest first: of a busy limit only those within its longest
-- period count, which may be ten of millions. The new key takes the place of the old one, so that a start is still in one
-- index only.
--
-- longest is the longest period that anybody was known to have on the limit when it started, if that is longer than its
-- own: so the newest start of a limit tells how far back starts count, without a look at the others.
alter table starts
    add column longest bigint,
    drop constraint starts_pkey,
    add primary key (org, "limit", at, seq);
