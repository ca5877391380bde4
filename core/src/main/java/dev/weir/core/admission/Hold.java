package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import org.jspecify.annotations.Nullable;

/**
 * The limit that refuses a ticket, and the cause.
 *
 * @param limit null if the cause is not a limit, such as a missing worker
 */
public record Hold(@Nullable LimitId limit, HoldCause cause) {
    /** No limit refuses the ticket, but no worker polls for it. */
    public static final Hold NO_WORKER = new Hold(null, HoldCause.NO_WORKER);
}
