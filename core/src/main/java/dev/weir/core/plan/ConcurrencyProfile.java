package dev.weir.core.plan;

/**
 * The demands that a module's steps make on their run if they do not define their own. The module's workers register
 * it.
 */
public record ConcurrencyProfile(int slots, boolean exclusive) {
    public static final ConcurrencyProfile DEFAULT = new ConcurrencyProfile(1, false);

    public ConcurrencyProfile {
        slots = Math.max(1, slots);
    }
}
