-- What tells a signal from others of its run, so that one that is sent again is no second one.
alter table signals add column id text;
