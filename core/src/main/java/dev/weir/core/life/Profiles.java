package dev.weir.core.life;

import java.util.List;
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

    /** Takes in what a worker says of the modules that it serves. What waits for them asks anew where that is new. */
    static void register(Organisation org, List<ClaimWork.Serves> modules, long now) {
        boolean news = false;
        for (ClaimWork.Serves serves : modules) {
            ConcurrencyProfile profile = serves.profile();
            if (profile != null && org.profiles.register(serves.module(), profile)) {
                org.moves.add(new Move.ModuleRegistered(serves.module(), profile, now));
                org.askingAnew.of(serves.module());
                news = true;
            }
        }
        if (news) {
            org.askingAnew.goOn(now);
        }
    }

    /** Tells whether that is something new. */
    boolean register(String module, ConcurrencyProfile profile) {
        return !profile.equals(byModule.put(module, profile));
    }

    SortedMap<String, ConcurrencyProfile> all() {
        return byModule;
    }
}
