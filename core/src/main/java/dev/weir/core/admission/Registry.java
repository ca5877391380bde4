package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every limit, class and module of the organisation, one object each; what is no longer used is forgotten in time. */
final class Registry {
    /** How long a class without tickets is kept for the next one, in microseconds. */
    private static final long IDLE_KEPT = 60_000_000;
    /** Idle classes that are looked at in one pass. */
    private static final int DROPS_PER_PASS = 16;

    private final Map<LimitId.Shared, SharedLimit> limits = new LinkedHashMap<>();
    private final Map<ClassKey, TicketClass> classes = new HashMap<>();
    private final Map<String, Module> modules = new HashMap<>();
    private final ArrayDeque<TicketClass> idle = new ArrayDeque<>();
    private final Map<TicketClass, ClassKey> idleKeys = new HashMap<>();
    private long created;

    private record ClassKey(String module, List<Need> needs) {}

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
        return modules.computeIfAbsent(name, Module::new);
    }

    TicketClass classOf(TicketSpec spec) {
        var key = new ClassKey(spec.module(), spec.needs());
        TicketClass known = classes.get(key);
        if (known == null) {
            known = new TicketClass(module(spec.module()), demands(spec.needs()));
            classes.put(key, known);
        }
        return known;
    }

    private List<Demand> demands(List<Need> needs) {
        List<Demand> demands = new ArrayList<>(needs.size());
        for (Need need : needs) {
            Demand demand = limit(need.limit()).demand(need);
            demand.users++;
            demands.add(demand);
        }
        return demands;
    }

    /** Notes that a class has no tickets; it is dropped if it stays so. */
    void idle(TicketClass group, TicketSpec spec, long now) {
        group.idleSince = now;
        if (!group.awaitsDrop) {
            group.awaitsDrop = true;
            group.queuedAt = now;
            idle.add(group);
            idleKeys.put(group, new ClassKey(spec.module(), spec.needs()));
        }
    }

    /** Drops classes that have long been idle; returns the limits that no class needs any more. */
    List<SharedLimit> dropIdle(long now) {
        List<SharedLimit> bare = List.of();
        long before = now - IDLE_KEPT;
        for (int i = 0; i < DROPS_PER_PASS && !idle.isEmpty() && idle.element().queuedAt <= before; i++) {
            TicketClass group = idle.remove();
            if (group.lanes == 0 && group.idleSince > before) {
                group.queuedAt = now;
                idle.add(group);
                continue;
            }
            group.awaitsDrop = false;
            ClassKey key = idleKeys.remove(group);
            if (group.lanes == 0 && key != null) {
                bare = bare.isEmpty() ? new ArrayList<>() : bare;
                drop(key, group, bare);
            }
        }
        return bare;
    }

    private void drop(ClassKey key, TicketClass group, List<SharedLimit> bare) {
        classes.remove(key);
        for (Demand demand : group.demands) {
            demand.limit.leave(demand);
            if (demand.limit.demands().isEmpty()) {
                bare.add(demand.limit);
            }
        }
    }

    void forget(SharedLimit limit) {
        limits.remove(limit.id, limit);
    }
}
