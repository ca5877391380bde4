package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every limit, class and module of the organisation, one object each. Unused ones are dropped after a while. */
final class AdmissionRegistry {
    /** Time for which a class without tickets is kept for the next ticket, in microseconds. */
    private static final long IDLE_TIMEOUT_MICROS = 60_000_000;
    /** Idle classes checked in one pass, in addition to twice the number created since the last pass. */
    private static final int DROPS_PER_PASS = 16;

    final MissingStarts missingStarts = new MissingStarts();
    final UsageCrossings crossings = new UsageCrossings();
    final RunKeyPins runKeyPins = new RunKeyPins();
    private final Map<LimitId.Shared, SharedLimit> limits = new HashMap<>();
    /** The same limits, oldest first, so that a reader can take them in slices. */
    private final NavigableMap<Long, SharedLimit> limitsInOrder = new TreeMap<>();

    private final TicketClassTable classes = new TicketClassTable();
    private final Map<String, ModuleQueue> modules = new HashMap<>();
    /** The held tickets of all modules. */
    final HeldCounts held = new HeldCounts(null);

    private final ArrayDeque<TicketClass> idleClasses = new ArrayDeque<>();
    /** Modules that were polled for but have no classes. */
    private final ArrayDeque<ModuleQueue> unusedModules = new ArrayDeque<>();

    private final Map<ParkedGroupKey, ParkedClasses> parkedGroups = new HashMap<>();
    private long nextLimitOrder;
    /** Number of classes and modules created since the last drop. If each ticket has its own key, there are many. */
    private int createdSinceDrop;

    private record ParkedGroupKey(ModuleQueue module, Set<SharedDemand> demands) {}

    SharedLimit limit(LimitId.Shared id) {
        SharedLimit known = limits.get(id);
        if (known == null) {
            var inherited = id instanceof LimitId.RunKey key ? runKeyPins.of(key.workflow()) : RunKeyPins.NONE;
            known = new SharedLimit(id, nextLimitOrder++, missingStarts, inherited);
            limits.put(id, known);
            limitsInOrder.put(known.order(), known);
        }
        return known;
    }

    @Nullable
    SharedLimit findLimit(LimitId.Shared id) {
        return limits.get(id);
    }

    Collection<SharedLimit> limits() {
        return limitsInOrder.values();
    }

    /** The limits that were created after the one with this order, oldest first. */
    Collection<SharedLimit> limitsAfter(long order) {
        return limitsInOrder.tailMap(order, false).values();
    }

    ModuleQueue module(String name) {
        return modules.computeIfAbsent(name, this::createModule);
    }

    private ModuleQueue createModule(String name) {
        createdSinceDrop++;
        return new ModuleQueue(name, held);
    }

    /** The number of known modules. */
    int modules() {
        return modules.size();
    }

    Collection<ModuleQueue> allModules() {
        return modules.values();
    }

    @Nullable
    ModuleQueue findModule(String name) {
        return modules.get(name);
    }

    /** Records that a caller claims steps of a module by name, if the module is known. */
    void recordClaim(String name, long now) {
        ModuleQueue known = modules.get(name);
        if (known != null) {
            known.recordClaim(now);
        }
    }

    boolean hasAdmissible(String name) {
        ModuleQueue known = modules.get(name);
        return known != null && !known.admissible.isEmpty();
    }

    TicketClass classOf(TicketSpec spec) {
        TicketClass known = classes.find(spec);
        if (known == null) {
            known = new TicketClass(module(spec.module()), spec, demands(spec.needs()));
            classes.add(known);
            known.module.classCount++;
            createdSinceDrop++;
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
    ParkedClasses parkedGroupFor(TicketClass ticketClass, SharedDemand refusingDemand) {
        ParkedClasses last = ticketClass.parkedGroup;
        if (last != null && last.isRefusedBy(refusingDemand)) {
            return last;
        }
        boolean single = refusingDemand.classes().size() == 1;
        Set<SharedDemand> demands = new HashSet<>();
        if (last != null && !last.single && !single) {
            demands.addAll(last.demands);
        }
        demands.add(refusingDemand);
        leaveParkedGroup(ticketClass);
        ParkedClasses parkedGroup = single
                ? new ParkedClasses(ticketClass.module, Set.of(refusingDemand), refusingDemand, true)
                : parkedGroups.computeIfAbsent(
                        new ParkedGroupKey(ticketClass.module, demands),
                        key -> new ParkedClasses(key.module, key.demands, refusingDemand, false));
        parkedGroup.memberCount++;
        ticketClass.parkedGroup = parkedGroup;
        return parkedGroup;
    }

    private void leaveParkedGroup(TicketClass ticketClass) {
        ParkedClasses parkedGroup = ticketClass.parkedGroup;
        if (parkedGroup != null) {
            ticketClass.parkedGroup = null;
            parkedGroup.memberCount--;
            if (parkedGroup.memberCount == 0 && !parkedGroup.single) {
                parkedGroups.remove(new ParkedGroupKey(parkedGroup.module, parkedGroup.demands));
            }
        }
    }

    /** Records that a class has no tickets. It is dropped if that lasts. */
    void markIdle(TicketClass ticketClass, long now) {
        ticketClass.idleSince = now;
        if (!ticketClass.queuedForDrop) {
            ticketClass.queuedForDrop = true;
            ticketClass.queuedForDropAt = now;
            idleClasses.add(ticketClass);
        }
    }

    /** Records that a poll for a module has ended. The module is dropped if nobody polls for it and no ticket comes. */
    void queueIfUnused(ModuleQueue module) {
        if (!module.queuedForDrop && module.isUnused()) {
            module.queuedForDrop = true;
            unusedModules.add(module);
        }
    }

    /** Drops modules that nobody has polled for recently. Otherwise polls for arbitrary names could fill the memory. */
    private void dropUnused(int max, long now) {
        for (int i = Math.min(max, unusedModules.size()); i > 0; i--) {
            ModuleQueue module = unusedModules.remove();
            if (module.isUnused() && module.servedUntil() > now) {
                unusedModules.add(module);
                continue;
            }
            module.queuedForDrop = false;
            if (module.isUnused()) {
                modules.remove(module.name, module);
            }
        }
    }

    /** Drops classes that have been idle for long. Returns the limits that no class needs any more. */
    List<SharedLimit> dropIdle(long now) {
        List<SharedLimit> unneeded = List.of();
        long cutoff = now - IDLE_TIMEOUT_MICROS;
        int max = DROPS_PER_PASS + 2 * createdSinceDrop;
        createdSinceDrop = 0;
        dropUnused(max, now);
        for (int i = 0; i < max && !idleClasses.isEmpty() && idleClasses.element().queuedForDropAt <= cutoff; i++) {
            TicketClass ticketClass = idleClasses.remove();
            if (ticketClass.laneCount == 0 && ticketClass.idleSince > cutoff) {
                ticketClass.queuedForDropAt = now;
                idleClasses.add(ticketClass);
                continue;
            }
            ticketClass.queuedForDrop = false;
            if (ticketClass.laneCount == 0) {
                unneeded = unneeded.isEmpty() ? new ArrayList<>() : unneeded;
                drop(ticketClass, unneeded);
            }
        }
        return unneeded;
    }

    private void drop(TicketClass ticketClass, List<SharedLimit> unneeded) {
        classes.remove(ticketClass);
        ticketClass.module.classCount--;
        queueIfUnused(ticketClass.module);
        leaveParkedGroup(ticketClass);
        ticketClass.leaveDemands();
        for (SharedDemand demand : ticketClass.demands) {
            demand.limit.dropIfUnused(demand);
            if (demand.limit.demands().isEmpty()) {
                unneeded.add(demand.limit);
            }
        }
    }

    void dropLimit(SharedLimit limit) {
        limits.remove(limit.id, limit);
        limitsInOrder.remove(limit.order(), limit);
        missingStarts.recordDropped(limit);
    }
}
