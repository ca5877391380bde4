package dev.weir.core.life;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What modules ask of a run where a step does not say; the newest registration counts. */
final class Profiles {
    private final SortedMap<String, ConcurrencyProfile> byModule = new TreeMap<>();

    @Nullable
    ConcurrencyProfile find(String module) {
        return byModule.get(module);
    }

    /** Tells whether that is something new. */
    boolean register(String module, ConcurrencyProfile profile) {
        return !profile.equals(byModule.put(module, profile));
    }

    SortedMap<String, ConcurrencyProfile> all() {
        return byModule;
    }
}
