package dev.weir.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * What has kept a ticket that is granted or taken out, as far as its run and its class remember: until when its run had
 * no room, and until when a shared limit had none; after both it waited for a worker.
 *
 * @param local what of its run refused last; absent if nothing did
 * @param shared what of its shared limits refused last; absent if nothing did
 */
public record Held(
        long localUntil,
        @Nullable Refusal local,
        long sharedUntil,
        @Nullable Refusal shared) {
    public static final Held BY_NOTHING = new Held(Long.MIN_VALUE, null, Long.MIN_VALUE, null);
}
