package dev.weir.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * A record of what held a ticket that is granted or withdrawn, as far as its run and its class remember. It says until
 * when its run had no room, and until when a shared limit had none. After both, the ticket waited for a worker.
 *
 * @param local the last hold by its run; null if there was none
 * @param shared the last hold by a shared limit; null if there was none
 */
public record WaitRecord(
        long localUntil,
        @Nullable Hold local,
        long sharedUntil,
        @Nullable Hold shared) {
    public static final WaitRecord NONE = new WaitRecord(Long.MIN_VALUE, null, Long.MIN_VALUE, null);
}
