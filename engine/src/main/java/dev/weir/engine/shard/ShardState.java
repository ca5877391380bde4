package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.EndedRun;
import dev.weir.engine.journal.ShardOwnership;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The owner's state of a shard: its ownership, the organisations in memory, their due times, and the open polls. */
final class ShardState {
    /** The time in microseconds for which a fast answer of the store is preferred to a later, slower one. */
    static final long STORE_TIME_AGE_MAX = 30_000_000;
    /**
     * The time in microseconds for which the shard remembers that an organisation started a run with an id already in
     * use.
     */
    static final long ID_REUSE_RETENTION = 60_000_000;
    /** The time in microseconds without activity after which an organisation is evicted from memory. */
    static final long IDLE_TIMEOUT = 300_000_000;

    private final ShardContext context;
    private final int number;
    private final OrganisationLoads loads;
    private final Map<String, LoadedOrganisation> loadedOrgs = new LinkedHashMap<>();
    private final DueTimes dueTimes = new DueTimes();
    private final OpenPolls polls = new OpenPolls();
    /** Ended runs read from history, kept until the organisation is loaded and learns of them. */
    private final Map<String, List<EndedRun>> history = new HashMap<>();

    private @Nullable ShardOwnership ownership;
    private long epoch;
    private long now = Long.MIN_VALUE;
    private long nowAt;
    /**
     * The store's time, and the monotonic time at which it arrived. This is the answer that arrived fastest, as long as
     * no answer shows that the store's clock was set.
     */
    private long storeTime;

    private long storeTimeAt;
    private final ExpiryGrace grace = new ExpiryGrace();
    /** Organisations that started runs with ids already in use, and the time until which that is remembered. */
    private final Map<String, Long> idReuseUntil = new HashMap<>();

    private final Map<String, Absence> absences = new HashMap<>();
    /** Organisations whose memory was dropped because it differed from the rows. */
    private final Set<String> differing = new HashSet<>();

    /**
     * An organisation whose memory was discarded and which is not loaded yet.
     *
     * @param since time of the discard, by the monotonic clock
     * @param reachableSince time from which its workers could be heard before, by the store's clock
     */
    private record Absence(long since, long reachableSince) {}

    ShardState(ShardContext context, int number, OrganisationLoads loads) {
        this.context = context;
        this.number = number;
        this.loads = loads;
    }

    int number() {
        return number;
    }

    @Nullable
    ShardOwnership ownership() {
        return ownership;
    }

    /** The ownership of a shard that must be taken. */
    ShardOwnership requireOwnership() {
        if (ownership == null) {
            throw new IllegalStateException("expected the ownership of shard " + number + ", found none");
        }
        return ownership;
    }

    OpenPolls polls() {
        return polls;
    }

    OrganisationLoads loads() {
        return loads;
    }

    /** True if no organisation is in memory, and none is being loaded. */
    boolean isEmpty() {
        return loadedOrgs.isEmpty() && !loads.isBusy();
    }

    /** Takes ownership of the shard. If another node owned it in between, memory is outdated and is dropped. */
    void takeOwnership() {
        ShardOwnership taken = context.journal().take(number, context.owner());
        if (taken.epoch() != epoch + 1) {
            forgetAll();
            absences.clear();
            dueTimes.clear();
            grace.recordTakeover();
            context.commitListener().onTakeover(number);
        }
        epoch = taken.epoch();
        ownership = taken;
        for (String org : taken.organisations()) {
            if (!dueTimes.contains(org) && !loadedOrgs.containsKey(org)) {
                dueTimes.set(org, Long.MIN_VALUE);
            }
        }
        // A worker may have missed a signal that work could start while the store was unreachable, so it is repeated.
        loadedOrgs.keySet().forEach(org -> dueTimes.set(org, Long.MIN_VALUE));
    }

    /** Gives up the ownership. Memory still equals the rows, except for organisations that were dropped. */
    void giveUpOwnership() {
        ShardOwnership released = ownership;
        ownership = null;
        for (String org : loads.organisations()) {
            dueTimes.set(org, Long.MIN_VALUE);
        }
        loads.forgetAll();
        if (released != null) {
            released.close();
        }
    }

    void close() {
        giveUpOwnership();
        forgetAll();
        absences.clear();
        dueTimes.clear();
        polls.clear();
    }

    /**
     * Sets the store's time at the start of a transaction. Time never goes back.
     *
     * @param requestedAt time of the request, by the monotonic clock; with it, due work may be examined too early but never
     *     too late
     * @param receivedAt time of the answer, by the monotonic clock
     */
    void setTime(long storeNow, long requestedAt, long receivedAt) {
        boolean first = now == Long.MIN_VALUE;
        countStall((!first && grace.recordClockLead(storeNow - estimateNow(requestedAt)))
                || grace.recordDecision(receivedAt));
        nowAt = storeNow < now ? Math.max(nowAt, requestedAt) : requestedAt;
        now = Math.max(now, storeNow);
        long knownOffset = storeTime - storeTimeAt;
        boolean isTighter = storeNow - receivedAt >= knownOffset;
        boolean contradicts = storeNow - requestedAt < knownOffset;
        if (first || isTighter || contradicts || receivedAt - storeTimeAt > STORE_TIME_AGE_MAX) {
            storeTime = storeNow;
            storeTimeAt = receivedAt;
        }
        // The store's time may be later by as long as the answer was under way.
        applyGrace(now + Math.max(0, receivedAt - requestedAt));
    }

    long now() {
        return now;
    }

    /** Advances time without asking the store, and no faster than the store's clock. */
    void advanceTime(long monotonicNow) {
        countStall(grace.recordDecision(monotonicNow));
        long estimated = storeTime + Math.max(0, monotonicNow - storeTimeAt);
        if (estimated > now) {
            now = estimated;
            nowAt = monotonicNow;
        }
        applyGrace(now);
    }

    /** The estimated time of the store. */
    long estimateNow(long monotonicNow) {
        return now == Long.MIN_VALUE ? now : now + Math.max(0, monotonicNow - nowAt);
    }

    List<String> dueOrgs(long monotonicNow) {
        return dueTimes.due(estimateNow(monotonicNow));
    }

    /** The time in microseconds until something is due. */
    long untilDue(long monotonicNow) {
        long first = dueTimes.next();
        long untilOrg = first == Moment.NEVER ? Moment.NEVER : first - Math.min(first, estimateNow(monotonicNow));
        long end = polls.nextExpiry();
        return Math.min(untilOrg, end == Long.MAX_VALUE ? Moment.NEVER : end - Math.min(end, monotonicNow));
    }

    void setDue(String org, long at) {
        dueTimes.set(org, at);
    }

    @Nullable
    LoadedOrganisation find(String org) {
        return loadedOrgs.get(org);
    }

    /** The organisations in memory whose last sweep is the longest ago. */
    Map<String, LoadedOrganisation> leastRecentlySwept(int max) {
        Map<String, LoadedOrganisation> chosen = new LinkedHashMap<>();
        loadedOrgs.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().sweptAt))
                .limit(max)
                .forEach(entry -> chosen.put(entry.getKey(), entry.getValue()));
        return chosen;
    }

    /** Begins to load an organisation. Its workers cannot be heard until it is in memory. */
    void beginLoad(String org) {
        absences.putIfAbsent(org, new Absence(context.monotonicNow(), Long.MIN_VALUE));
        dueTimes.set(org, Moment.NEVER);
        loads.begin(org, requireOwnership());
    }

    /** Adds a loaded organisation. */
    void install(String org, LoadedOrganisation loadedOrg) {
        long monotonicNow = context.monotonicNow();
        long latest = Math.max(loadedOrg.lastCommitAt, estimateNow(monotonicNow));
        loadedOrg.differed = differing.remove(org);
        Absence absence = absences.remove(org);
        loadedOrg.reachableSince(
                absence == null
                        ? grace.reachableSince()
                        : grace.reachableSince(absence.reachableSince, absence.since, monotonicNow, latest));
        loadedOrgs.put(org, loadedOrg);
        dueTimes.set(org, Long.MIN_VALUE);
        context.counters().add(CounterName.LOADS);
        wakeRunWaiters(org);
    }

    /** Lets callers look at their runs again, because a commit of unknown outcome may have ended one. */
    private void wakeRunWaiters(String org) {
        var waiters = context.runWaiters().findAll(org);
        if (!waiters.isEmpty()) {
            context.responseExecutor().execute(() -> waiters.forEach(waiter -> waiter.complete(null)));
        }
    }

    /** Drops an organisation whose memory differs from its rows. */
    void dropDiffering(String org) {
        differing.add(org);
        drop(org);
    }

    private void forgetAll() {
        loadedOrgs.values().forEach(loadedOrg -> loadedOrg.withdrawHeld(context.counters()));
        loadedOrgs.clear();
    }

    private @Nullable LoadedOrganisation forget(String org) {
        LoadedOrganisation forgotten = loadedOrgs.remove(org);
        if (forgotten != null) {
            forgotten.withdrawHeld(context.counters());
        }
        return forgotten;
    }

    void evict(String org) {
        LoadedOrganisation unused = forget(org);
        context.counters().add(CounterName.EVICTIONS);
    }

    /** Discards the memory of an organisation. The next pass loads it again. */
    void drop(String org) {
        LoadedOrganisation dropped = forget(org);
        absences.putIfAbsent(
                org, new Absence(context.monotonicNow(), dropped == null ? Long.MIN_VALUE : dropped.reachableSince()));
        dueTimes.set(org, Long.MIN_VALUE);
    }

    /**
     * Removes a caller that stopped waiting. Memory with its open poll is discarded, so that the poll receives no
     * claim.
     */
    void removeCaller(Message<?> message) {
        if (message instanceof ClaimMessage poll && polls.remove(poll) && loadedOrgs.containsKey(poll.org)) {
            drop(poll.org);
        }
    }

    /** Brings an organisation's part of the node's counters up to date. */
    void publishHeld(LoadedOrganisation loadedOrg) {
        loadedOrg.publishHeld(context.counters());
    }

    /** Records that an organisation starts runs with ids of runs that ended long ago. */
    void recordIdReuse(String org) {
        idReuseUntil.put(org, context.monotonicNow() + ID_REUSE_RETENTION);
    }

    /**
     * True if the organisation did so recently. Then reading history before a start is cheaper than a failed commit.
     */
    boolean mayReuseIds(String org, long monotonicNow) {
        Long until = idReuseUntil.get(org);
        if (until != null && until <= monotonicNow) {
            idReuseUntil.remove(org);
        }
        return until != null && until > monotonicNow;
    }

    /** Keeps ended runs of an organisation that were read from history. */
    void addHistory(String org, List<EndedRun> runs) {
        history.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(runs);
    }

    /** Passes the ended runs that were read from history to their organisation. */
    void deliverHistory(String org, LoadedOrganisation loadedOrg) {
        List<EndedRun> runs = history.remove(org);
        if (runs != null) {
            loadedOrg.organisation.rememberEnded(runs);
        }
    }

    /** Records that the loop takes messages now. */
    void recordTake(long monotonicNow) {
        countStall(grace.recordTake(monotonicNow));
    }

    /** Records that the taken messages are decided, and written or in flight. */
    void recordProcessed() {
        if (loadedOrgs.isEmpty() && absences.isEmpty()) {
            grace.recordIdle();
        } else {
            grace.recordProcessed();
        }
    }

    private void countStall(boolean stalled) {
        if (stalled) {
            context.counters().add(CounterName.STALLS);
        }
    }

    /** Gives workers time to renew if that is due, from the latest possible time by the store's clock. */
    private void applyGrace(long latest) {
        if (grace.applyExtension(latest)) {
            loadedOrgs.values().forEach(loadedOrg -> loadedOrg.reachableSince(grace.reachableSince()));
        }
    }
}
