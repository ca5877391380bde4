package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every limit, class and module of the organisation, one object each. Unused ones are dropped after a while. */
final class AdmissionRegistry {
    /** Time for which a class without tickets is kept for the next ticket, in microseconds. */
    private static final long IDLE_KEPT = 60_000_000;
    /** Idle classes checked in one pass, in addition to twice the number created since the last pass. */
    private static final int DROPS_PER_PASS = 16;

    final MissingStarts missing = new MissingStarts();
    private final Map<LimitId.Shared, SharedLimit> limits = new LinkedHashMap<>();
    private final TicketClassTable classes = new TicketClassTable();
    private final Map<String, ModuleQueue> modules = new HashMap<>();
    private final ArrayDeque<TicketClass> idle = new ArrayDeque<>();
    /** Modules that were polled for but have no classes. */
    private final ArrayDeque<ModuleQueue> unused = new ArrayDeque<>();

    private final Map<BayKey, ParkedClasses> bays = new HashMap<>();
    private long created;
    /** Number of classes and modules created since the last drop. If each ticket has its own key, there are many. */
    private int made;

    private record BayKey(ModuleQueue module, Set<SharedDemand> demands) {}

    SharedLimit limit(LimitId.Shared id) {
        SharedLimit known = limits.get(id);
        if (known == null) {
            known = new SharedLimit(id, created++, missing);
            limits.put(id, known);
        }
        return known;
    }

    @Nullable
    SharedLimit find(LimitId.Shared id) {
        return limits.get(id);
    }

    Collection<SharedLimit> limits() {
        return limits.values();
    }

    ModuleQueue module(String name) {
        return modules.computeIfAbsent(name, this::make);
    }

    private ModuleQueue make(String name) {
        made++;
        return new ModuleQueue(name);
    }

    /** The number of known modules. */
    int modules() {
        return modules.size();
    }

    /** Records that a caller claims steps of a module by name, if the module is known. */
    void claimed(String name, long now) {
        ModuleQueue known = modules.get(name);
        if (known != null) {
            known.claimed(now);
        }
    }

    boolean couldStart(String name) {
        ModuleQueue known = modules.get(name);
        return known != null && !known.admissible.isEmpty();
    }

    TicketClass classOf(TicketSpec spec) {
        TicketClass known = classes.find(spec);
        if (known == null) {
            known = new TicketClass(module(spec.module()), spec, demands(spec.needs()));
            classes.add(known);
            known.module.classes++;
            made++;
        }
        return known;
    }

    private List<SharedDemand> demands(List<LimitNeed> needs) {
        List<SharedDemand> demands = new ArrayList<>(needs.size());
        for (LimitNeed need : needs) {
            demands.add(limit(need.limit()).demand(need));
        }
        return demands;
    }

    /**
     * The group for a class that this demand refuses. Its classes were refused by this demand and by the earlier ones.
     */
    ParkedClasses bayOf(TicketClass group, SharedDemand refused) {
        ParkedClasses last = group.bay;
        if (last != null && last.refusedBy(refused)) {
            return last;
        }
        boolean single = refused.classes().size() == 1;
        Set<SharedDemand> demands = new HashSet<>();
        if (last != null && !last.single && !single) {
            demands.addAll(last.demands);
        }
        demands.add(refused);
        leaveBay(group);
        ParkedClasses bay = single
                ? new ParkedClasses(group.module, Set.of(refused), refused, true)
                : bays.computeIfAbsent(
                        new BayKey(group.module, demands),
                        key -> new ParkedClasses(key.module, key.demands, refused, false));
        bay.members++;
        group.bay = bay;
        return bay;
    }

    private void leaveBay(TicketClass group) {
        ParkedClasses bay = group.bay;
        if (bay != null) {
            group.bay = null;
            bay.members--;
            if (bay.members == 0 && !bay.single) {
                bays.remove(new BayKey(bay.module, bay.demands));
            }
        }
    }

    /** Records that a class has no tickets. It is dropped if that lasts. */
    void idle(TicketClass group, long now) {
        group.idleSince = now;
        if (!group.awaitsDrop) {
            group.awaitsDrop = true;
            group.queuedAt = now;
            idle.add(group);
        }
    }

    /** Records that a poll for a module has ended. The module is dropped if nobody polls for it and no ticket comes. */
    void left(ModuleQueue module) {
        if (!module.awaitsDrop && module.unused()) {
            module.awaitsDrop = true;
            unused.add(module);
        }
    }

    /** Drops modules that nobody has polled for recently. Otherwise polls for arbitrary names could fill the memory. */
    private void dropUnused(int most, long now) {
        for (int i = Math.min(most, unused.size()); i > 0; i--) {
            ModuleQueue module = unused.remove();
            if (module.unused() && module.servedUntil() > now) {
                unused.add(module);
                continue;
            }
            module.awaitsDrop = false;
            if (module.unused()) {
                modules.remove(module.name, module);
            }
        }
    }

    /** Drops classes that have been idle for long. Returns the limits that no class needs any more. */
    List<SharedLimit> dropIdle(long now) {
        List<SharedLimit> bare = List.of();
        long before = now - IDLE_KEPT;
        int most = DROPS_PER_PASS + 2 * made;
        made = 0;
        dropUnused(most, now);
        for (int i = 0; i < most && !idle.isEmpty() && idle.element().queuedAt <= before; i++) {
            TicketClass group = idle.remove();
            if (group.lanes == 0 && group.idleSince > before) {
                group.queuedAt = now;
                idle.add(group);
                continue;
            }
            group.awaitsDrop = false;
            if (group.lanes == 0) {
                bare = bare.isEmpty() ? new ArrayList<>() : bare;
                drop(group, bare);
            }
        }
        return bare;
    }

    private void drop(TicketClass group, List<SharedLimit> bare) {
        classes.remove(group);
        group.module.classes--;
        left(group.module);
        leaveBay(group);
        group.leaveDemands();
        for (SharedDemand demand : group.demands) {
            demand.limit.dropIfUnused(demand);
            if (demand.limit.demands().isEmpty()) {
                bare.add(demand.limit);
            }
        }
    }

    void forget(SharedLimit limit) {
        limits.remove(limit.id, limit);
        missing.forgotten(limit);
    }
}
