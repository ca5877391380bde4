package dev.weir.core.run;

import dev.weir.core.plan.ConcurrencyProfile;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The demands that modules make on a run if a step does not define its own. The newest registration counts. */
final class ModuleDefaults {
    private final SortedMap<String, ConcurrencyProfile> byModule = new TreeMap<>();

    @Nullable
    ConcurrencyProfile find(String module) {
        return byModule.get(module);
    }

    /** Sets the defaults of a module. Returns true if they are new. */
    boolean register(String module, ConcurrencyProfile profile) {
        return !profile.equals(byModule.put(module, profile));
    }

    SortedMap<String, ConcurrencyProfile> all() {
        return byModule;
    }
}
