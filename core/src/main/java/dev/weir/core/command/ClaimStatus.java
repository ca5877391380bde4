package dev.weir.core.command;

import dev.weir.core.state.Claim;

/**
 * The state of a live claim.
 *
 * @param fence the newest fence of its unit
 * @param cancelRequested true if its worker should stop
 * @param endsAt the time at which it ends: by its lease, its timeout or a cancel
 */
public record ClaimStatus(Claim claim, long fence, boolean cancelRequested, long endsAt) {}
