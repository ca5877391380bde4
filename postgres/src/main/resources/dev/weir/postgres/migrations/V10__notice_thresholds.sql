-- Thresholds of notices that an operator sets for an organisation. Without them, those of the node apply.

-- Only the scope organisation has these values.
--   notice_oldest_waiter  the waiting time at which a notice is issued, in microseconds
--   notice_dead_letters   the number of open dead letters at which a notice is issued
alter table rate_limit_configs
    add column notice_oldest_waiter           bigint check (notice_oldest_waiter > 0),
    add column notice_oldest_waiter_temporary bigint check (notice_oldest_waiter_temporary > 0),
    add column notice_oldest_waiter_until     bigint,
    add column notice_dead_letters            int    check (notice_dead_letters > 0),
    add column notice_dead_letters_temporary  int    check (notice_dead_letters_temporary > 0),
    add column notice_dead_letters_until      bigint,
    add check ((notice_oldest_waiter_temporary is null) = (notice_oldest_waiter_until is null)),
    add check ((notice_dead_letters_temporary is null) = (notice_dead_letters_until is null));
