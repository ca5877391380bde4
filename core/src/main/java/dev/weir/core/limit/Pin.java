package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * An operator's values for a shared limit. They beat the tickets' own, at once, until they are unpinned or expire; a
 * value that is absent leaves the tickets' own in force.
 *
 * @param until when the pin ends by itself; {@link Moment#NEVER} if it does not
 */
public record Pin(@Nullable Integer parallelism, @Nullable Rate rate, long until) {
    public Pin {
        if (parallelism == null && rate == null) {
            throw new IllegalArgumentException("a pin needs a parallelism or a rate, found neither");
        }
        if (parallelism != null && parallelism < 1) {
            throw new IllegalArgumentException(
                    "a pinned parallelism must be at least 1, found " + parallelism + "; to stop a key, pause it");
        }
    }
}
