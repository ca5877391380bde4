package dev.weir.postgres.journal;

import dev.weir.core.life.Plan;

/** How rows name a run that lives: its number, and its steps by the plan. */
record Known(long number, Plan plan) {}
