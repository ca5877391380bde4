package dev.weir.core.life;

import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.state.Move;
import java.util.List;
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

    /** Registers the defaults that a worker sends for its modules. If they are new, waiting units are queued again. */
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

    /** Sets the defaults of a module. Returns true if they are new. */
    boolean register(String module, ConcurrencyProfile profile) {
        return !profile.equals(byModule.put(module, profile));
    }

    SortedMap<String, ConcurrencyProfile> all() {
        return byModule;
    }
}
