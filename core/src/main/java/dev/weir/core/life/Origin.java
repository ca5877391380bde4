package dev.weir.core.life;

import dev.weir.core.json.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What led to a run, besides the one who asked for it.
 *
 * @param retryOf the run that it is another try of
 * @param parent the step or item that has invoked it
 * @param root the run that the chain of runs and events began with; absent = this one
 * @param depth how many runs and events come before it in that chain
 */
public record Origin(
        @Nullable String retryOf,
        @Nullable UnitId parent,
        @Nullable String root,
        int depth) {
    public static final Origin NONE = new Origin(null, null, null, 0);

    public Origin {
        if (depth < 0) {
            throw new IllegalArgumentException("a depth must not be negative, found " + depth);
        }
    }

    /** Takes it into a fingerprint. */
    long in(long print) {
        long all = Fingerprint.with(Fingerprint.with(print, retryOf), root);
        if (parent != null) {
            all = Fingerprint.with(Fingerprint.with(all, parent.run()), parent.step());
            all = Fingerprint.with(all, parent.item());
        }
        return Fingerprint.with(all, depth);
    }

    Origin retrying(String run) {
        return new Origin(run, null, root, depth);
    }
}
