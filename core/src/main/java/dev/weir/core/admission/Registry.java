package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
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

/** Every limit, class and module of the organisation, one object each; what is no longer used is forgotten in time. */
final class Registry {
    /** How long a class without tickets is kept for the next one, in microseconds. */
    private static final long IDLE_KEPT = 60_000_000;
    /** Idle classes that are looked at in one pass, besides twice as many as were made since the last one. */
    private static final int DROPS_PER_PASS = 16;

    private final Map<LimitId.Shared, SharedLimit> limits = new LinkedHashMap<>();
    private final ClassTable classes = new ClassTable();
    private final Map<String, Module> modules = new HashMap<>();
    private final ArrayDeque<TicketClass> idle = new ArrayDeque<>();
    /** Modules that were polled for, and of which there is nothing. */
    private final ArrayDeque<Module> unused = new ArrayDeque<>();

    private final Map<BayKey, Bay> bays = new HashMap<>();
    private long created;
    /** Classes and modules that were made since idle ones were last dropped; with a key for each ticket they are many. */
    private int made;

    private record BayKey(Module module, Set<Demand> demands) {}

    SharedLimit limit(LimitId.Shared id) {
        SharedLimit known = limits.get(id);
        if (known == null) {
            known = new SharedLimit(id, created++);
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

    Module module(String name) {
        return modules.computeIfAbsent(name, this::make);
    }

    private Module make(String name) {
        made++;
        return new Module(name);
    }

    /** How many modules are known. */
    int modules() {
        return modules.size();
    }

    /** Notes that steps of a module are claimed by name, if anything of it is known. */
    void claimed(String name, long now) {
        Module known = modules.get(name);
        if (known != null) {
            known.claimed(now);
        }
    }

    boolean couldStart(String name) {
        Module known = modules.get(name);
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

    private List<Demand> demands(List<Need> needs) {
        List<Demand> demands = new ArrayList<>(needs.size());
        for (Need need : needs) {
            Demand demand = limit(need.limit()).demand(need);
            demand.classes++;
            demands.add(demand);
        }
        return demands;
    }

    /** The bay of a class that this demand refuses: of those that were refused by this and by what refused it before. */
    Bay bayOf(TicketClass group, Demand refused) {
        Bay last = group.bay;
        if (last != null && last.refusedBy(refused)) {
            return last;
        }
        boolean single = refused.classes == 1;
        Set<Demand> demands = new HashSet<>();
        if (last != null && !last.single && !single) {
            demands.addAll(last.demands);
        }
        demands.add(refused);
        leaveBay(group);
        Bay bay = single
                ? new Bay(group.module, Set.of(refused), refused, true)
                : bays.computeIfAbsent(
                        new BayKey(group.module, demands), key -> new Bay(key.module, key.demands, refused, false));
        bay.members++;
        group.bay = bay;
        return bay;
    }

    private void leaveBay(TicketClass group) {
        Bay bay = group.bay;
        if (bay != null) {
            group.bay = null;
            bay.members--;
            if (bay.members == 0 && !bay.single) {
                bays.remove(new BayKey(bay.module, bay.demands));
            }
        }
    }

    /** Notes that a class has no tickets; it is dropped if it stays so. */
    void idle(TicketClass group, long now) {
        group.idleSince = now;
        if (!group.awaitsDrop) {
            group.awaitsDrop = true;
            group.queuedAt = now;
            idle.add(group);
        }
    }

    /** Notes that somebody does not poll for a module any more; it is forgotten if nobody does and nothing of it comes. */
    void left(Module module) {
        if (!module.awaitsDrop && module.unused()) {
            module.awaitsDrop = true;
            unused.add(module);
        }
    }

    /** Forgets modules that nobody has polled for lately; who polls for any name could else fill the memory. */
    private void dropUnused(int most, long now) {
        for (int i = Math.min(most, unused.size()); i > 0; i--) {
            Module module = unused.remove();
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

    /** Drops classes that have long been idle; returns the limits that no class needs any more. */
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
        for (Demand demand : group.demands) {
            demand.classes--;
            demand.limit.dropIfUnused(demand);
            if (demand.limit.demands().isEmpty()) {
                bare.add(demand.limit);
            }
        }
    }

    void forget(SharedLimit limit) {
        limits.remove(limit.id, limit);
    }
}
