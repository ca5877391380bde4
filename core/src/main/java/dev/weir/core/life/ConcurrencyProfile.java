package dev.weir.core.life;

/** What a module's steps ask of their run where they do not say themselves; registered by its workers. */
public record ConcurrencyProfile(int slots, boolean exclusive) {
    public static final ConcurrencyProfile DEFAULT = new ConcurrencyProfile(1, false);

    public ConcurrencyProfile {
        slots = Math.max(1, slots);
    }
}
