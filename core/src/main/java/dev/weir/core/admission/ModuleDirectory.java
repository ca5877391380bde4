package dev.weir.core.admission;

import static java.util.Comparator.reverseOrder;

import dev.weir.core.limit.LimitId;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Lists the modules that admission knows, for queries. The counts are kept where tickets are parked and granted, so a
 * query looks at a bounded number of tickets, however many wait.
 */
public final class ModuleDirectory {
    /** Classes and runs that the snapshots of one query may examine together. */
    public static final int VISITS_MAX = 50_000;

    /** Classes and runs that one snapshot may examine. */
    private static final int SNAPSHOT_VISITS_MAX = 2_000;

    private final TicketQueues queues;

    ModuleDirectory(TicketQueues queues) {
        this.queues = queues;
    }

    /** Returns the names of known modules with this prefix, after the given one, in order. */
    public List<String> names(String prefix, String after, int max) {
        var first = new PriorityQueue<String>(max + 1, reverseOrder());
        for (ModuleQueue module : queues.registry.allModules()) {
            if (module.name.startsWith(prefix) && module.name.compareTo(after) > 0) {
                first.add(module.name);
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return first.stream().sorted().toList();
    }

    /** Returns the modules with the most tickets and allocations, busiest first. */
    public List<String> busiestModules(int max) {
        Comparator<ModuleQueue> byLoad = Comparator.<ModuleQueue>comparingLong(
                        module -> (long) module.waitingCount + module.runningCount)
                .thenComparing(module -> module.name, reverseOrder());
        var first = new PriorityQueue<ModuleQueue>(max + 1, byLoad);
        for (ModuleQueue module : queues.registry.allModules()) {
            first.add(module);
            if (first.size() > max) {
                first.remove();
            }
        }
        return first.stream()
                .sorted(byLoad.reversed())
                .map(module -> module.name)
                .toList();
    }

    /** Returns the flow-control keys that the most tickets wait for, and of equal ones those in most use. */
    public List<LimitId.Key> busiestKeys(int max) {
        Comparator<SharedLimit> byLoad = Comparator.<SharedLimit>comparingInt(limit -> limit.waitingCount)
                .thenComparingInt(limit -> limit.used)
                .thenComparing(SharedLimit::order, reverseOrder());
        var first = new PriorityQueue<SharedLimit>(max + 1, byLoad);
        for (SharedLimit limit : queues.registry.limits()) {
            boolean inUse = limit.waitingCount > 0 || limit.used > 0;
            if (inUse && limit.id instanceof LimitId.Key) {
                first.add(limit);
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return first.stream()
                .sorted(byLoad.reversed())
                .map(limit -> (LimitId.Key) limit.id)
                .toList();
    }

    /**
     * Returns the state of a module.
     *
     * @param snapshots the number of snapshots that the same query takes; they share {@link #VISITS_MAX}
     */
    public ModuleSnapshot snapshot(String name, int snapshots, long now) {
        ModuleQueue module = queues.registry.findModule(name);
        int visits = Math.min(SNAPSHOT_VISITS_MAX, VISITS_MAX / Math.max(1, snapshots));
        return module == null ? ModuleSnapshot.unused(name) : ReadyCount.snapshot(module, visits, now);
    }

    /** Returns the tickets of all modules that wait, for a limit or for a worker. */
    public long waiting() {
        long waiting = 0;
        for (ModuleQueue module : queues.registry.allModules()) {
            waiting += module.waitingCount;
        }
        return waiting;
    }

    /** Returns the tickets of all modules that are parked at limits of one kind. It costs nothing. */
    public int held(HoldKind kind) {
        return queues.registry.held.of(kind);
    }
}
