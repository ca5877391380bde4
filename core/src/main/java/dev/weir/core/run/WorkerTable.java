package dev.weir.core.run;

import dev.weir.core.state.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The workers that were heard recently, and what they poll for. It exists in memory only: after a restart, claims and
 * the next polls fill it again. Nothing is decided by it.
 */
public final class WorkerTable {
    /** The time for which a worker is listed after it was last heard, in microseconds. */
    static final long RETENTION = 600_000_000;
    /** The largest number of workers that are kept without claims and polls. */
    static final int WORKERS_MAX = 10_000;
    /** Workers that are examined for removal whenever one polls. */
    private static final int DROPS_PER_POLL = 2;

    /** The workers by name, the one that was heard longest ago first. */
    private final LinkedHashMap<String, KnownWorker> workers = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<String, PolledModule> polledModules = new HashMap<>();

    /** The state of one worker. */
    private static final class KnownWorker {
        private final String name;
        private final List<PollTable.OpenPoll> polls = new ArrayList<>(1);
        private List<String> modules = List.of();
        private long since;
        private long lastSeenAt;
        private int running;
        /** The claims that it had and asked for when it polled last. */
        private int placesAtPoll;

        KnownWorker(String name, long since) {
            this.name = name;
            this.since = since;
            this.lastSeenAt = since;
        }

        boolean isIdle() {
            return running == 0 && polls.isEmpty();
        }

        boolean isPollingFor(String module) {
            for (PollTable.OpenPoll poll : polls) {
                if (poll.modules.contains(module)) {
                    return true;
                }
            }
            return false;
        }

        WorkerSnapshot snapshot() {
            int free = freePlaces();
            int places = Math.max(running + free, placesAtPoll);
            return new WorkerSnapshot(name, modules, since, lastSeenAt, running, polls.size(), free, places);
        }

        private int freePlaces() {
            return polls.stream().mapToInt(poll -> poll.limit).sum();
        }
    }

    /** The polls for one module. */
    private static final class PolledModule {
        private int workers;
        private int freePlaces;
    }

    private KnownWorker worker(String name, long now) {
        return workers.computeIfAbsent(name, ignored -> new KnownWorker(name, now));
    }

    void addPoll(PollTable.OpenPoll poll, long now) {
        dropUnheard(now);
        KnownWorker worker = worker(poll.worker, now);
        worker.lastSeenAt = now;
        worker.modules = poll.modules;
        for (String module : poll.modules) {
            PolledModule polled = polledModules.computeIfAbsent(module, ignored -> new PolledModule());
            polled.workers += worker.isPollingFor(module) ? 0 : 1;
            polled.freePlaces += poll.limit;
        }
        worker.polls.add(poll);
        worker.placesAtPoll = worker.running + worker.freePlaces();
    }

    void removePoll(PollTable.OpenPoll poll) {
        KnownWorker worker = workers.get(poll.worker);
        if (worker == null || !worker.polls.remove(poll)) {
            return;
        }
        for (String module : poll.modules) {
            PolledModule polled = polledModules.get(module);
            if (polled != null) {
                polled.workers -= worker.isPollingFor(module) ? 0 : 1;
                polled.freePlaces -= poll.limit;
                if (polled.workers == 0) {
                    polledModules.remove(module);
                }
            }
        }
    }

    /** Counts a claim that was granted to a worker, or restored. */
    void addClaim(Claim claim) {
        long heardAt = claim.hasNoExpiry() ? claim.grantedAt() : claim.renewedAt();
        KnownWorker worker = worker(claim.worker(), heardAt);
        worker.running++;
        worker.since = Math.min(worker.since, claim.grantedAt());
        worker.lastSeenAt = Math.max(worker.lastSeenAt, heardAt);
        if (worker.modules.isEmpty()) {
            worker.modules = List.of(claim.limitNeeds().module());
        }
    }

    void removeClaim(Claim claim) {
        KnownWorker worker = workers.get(claim.worker());
        if (worker != null) {
            worker.running--;
        }
    }

    /** Records a heartbeat or a report of a worker. */
    void recordSeen(String name, long now) {
        KnownWorker worker = workers.get(name);
        if (worker != null) {
            worker.lastSeenAt = now;
        }
    }

    /** Drops workers that were not heard for long, so that changing names cannot fill the memory. */
    private void dropUnheard(long now) {
        for (int i = 0; i < DROPS_PER_POLL && !workers.isEmpty(); i++) {
            Iterator<KnownWorker> oldestFirst = workers.values().iterator();
            KnownWorker oldest = oldestFirst.next();
            if (!oldest.isIdle()) {
                KnownWorker unused = workers.get(oldest.name); // moves it behind the others
            } else if (isForgotten(oldest, now) || workers.size() > WORKERS_MAX) {
                oldestFirst.remove();
            } else {
                return;
            }
        }
    }

    private static boolean isForgotten(KnownWorker worker, long now) {
        return worker.isIdle() && worker.lastSeenAt <= now - RETENTION;
    }

    /** Returns the workers with this prefix, after the given one, ordered by name. */
    public List<WorkerSnapshot> list(String prefix, String after, int max, long now) {
        Comparator<KnownWorker> byName = Comparator.comparing(worker -> worker.name);
        var first = new PriorityQueue<KnownWorker>(max + 1, byName.reversed());
        for (KnownWorker worker : workers.values()) {
            if (worker.name.startsWith(prefix) && worker.name.compareTo(after) > 0 && !isForgotten(worker, now)) {
                first.add(worker);
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return first.stream().sorted(byName).map(KnownWorker::snapshot).toList();
    }

    /** The number of workers that poll for a module now. */
    public int pollingWorkers(String module) {
        PolledModule polled = polledModules.get(module);
        return polled == null ? 0 : polled.workers;
    }

    /** The number of claims that the open polls for a module ask for. A place of a poll counts for each of its modules. */
    public int freePlaces(String module) {
        PolledModule polled = polledModules.get(module);
        return polled == null ? 0 : polled.freePlaces;
    }
}
