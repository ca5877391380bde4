package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.ShardOwnership;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The owner's state of a shard: its ownership, the organisations in memory, their due times, and the open polls. */
final class ShardState {
    /** The time in microseconds for which a fast answer of the store is preferred to a later, slower one. */
    static final long ANSWER_AGE_MAX = 30_000_000;
    /**
     * The time in microseconds for which the shard remembers that an organisation started a run with an id already in
     * use.
     */
    static final long REUSE_REMEMBERED = 60_000_000;
    /** The time in microseconds without activity after which an organisation is evicted from memory. */
    static final long QUIET = 300_000_000;

    private final ShardContext site;
    private final int number;
    private final Map<String, LoadedOrganisation> residents = new LinkedHashMap<>();
    private final DueTimes due = new DueTimes();
    private final OpenPolls polls = new OpenPolls();
    /** Ended runs read from history, kept until the organisation is loaded and learns of them. */
    private final Map<String, List<EndedRun>> history = new HashMap<>();

    private @Nullable ShardOwnership tenure;
    private long epoch;
    private long now = Long.MIN_VALUE;
    private long nowAt;
    /**
     * The store's time, and the monotonic time at which it arrived. This is the answer that arrived fastest, as long as
     * no answer shows that the store's clock was set.
     */
    private long answer;

    private long answeredAt;
    private final ExpiryGrace grace = new ExpiryGrace();
    /** Organisations that started runs with ids already in use, and the time until which that is remembered. */
    private final Map<String, Long> reusing = new HashMap<>();

    private final Map<String, Absence> absent = new HashMap<>();

    /**
     * An organisation whose memory was discarded and which is not loaded yet.
     *
     * @param since time of the discard, by the monotonic clock
     * @param heardFrom time from which its workers could be heard before, by the store's clock
     */
    private record Absence(long since, long heardFrom) {}

    ShardState(ShardContext site, int number) {
        this.site = site;
        this.number = number;
    }

    @Nullable
    ShardOwnership tenure() {
        return tenure;
    }

    /** The ownership of a shard that must be taken. */
    ShardOwnership openTenure() {
        if (tenure == null) {
            throw new IllegalStateException("expected the ownership of shard " + number + ", found none");
        }
        return tenure;
    }

    OpenPolls polls() {
        return polls;
    }

    boolean isEmpty() {
        return residents.isEmpty();
    }

    /** Takes ownership of the shard. If another node owned it in between, memory is outdated and is dropped. */
    void take() {
        ShardOwnership taken = site.journal().take(number, site.owner());
        if (taken.epoch() != epoch + 1) {
            residents.clear();
            absent.clear();
            due.clear();
            grace.takenOver();
        }
        epoch = taken.epoch();
        tenure = taken;
        for (String org : taken.organisations()) {
            if (!due.knows(org) && !residents.containsKey(org)) {
                due.set(org, Long.MIN_VALUE);
            }
        }
        // A worker may have missed a signal that work could start while the store was unreachable, so it is repeated.
        residents.keySet().forEach(org -> due.set(org, Long.MIN_VALUE));
    }

    /** Gives up the ownership. Memory still equals the rows, except for organisations that were dropped. */
    void letGo() {
        ShardOwnership over = tenure;
        tenure = null;
        if (over != null) {
            over.close();
        }
    }

    void close() {
        letGo();
        residents.clear();
        absent.clear();
        due.clear();
        polls.clear();
    }

    /**
     * Sets the store's time at the start of a transaction. Time never goes back.
     *
     * @param askedAt time of the request, by the monotonic clock; with it, due work may be examined too early but never
     *     too late
     * @param heardAt time of the answer, by the monotonic clock
     */
    void at(long storeNow, long askedAt, long heardAt) {
        boolean first = now == Long.MIN_VALUE;
        countStall((!first && grace.isAhead(storeNow - estimate(askedAt))) || grace.decides(heardAt));
        nowAt = storeNow < now ? Math.max(nowAt, askedAt) : askedAt;
        now = Math.max(now, storeNow);
        long least = answer - answeredAt;
        boolean tells = storeNow - heardAt >= least;
        boolean refutes = storeNow - askedAt < least;
        if (first || tells || refutes || heardAt - answeredAt > ANSWER_AGE_MAX) {
            answer = storeNow;
            answeredAt = heardAt;
        }
        // The store's time may be later by as long as the answer was under way.
        giveTime(now + Math.max(0, heardAt - askedAt));
    }

    long now() {
        return now;
    }

    /** Advances time without asking the store, and no faster than the store's clock. */
    void passTime(long tick) {
        countStall(grace.decides(tick));
        long passed = answer + Math.max(0, tick - answeredAt);
        if (passed > now) {
            now = passed;
            nowAt = tick;
        }
        giveTime(now);
    }

    /** The estimated time of the store. */
    long estimate(long tick) {
        return now == Long.MIN_VALUE ? now : now + Math.max(0, tick - nowAt);
    }

    List<String> due(long tick) {
        return due.due(estimate(tick));
    }

    /** The time in microseconds until something is due. */
    long untilDue(long tick) {
        long first = due.next();
        long untilOrg = first == Moment.NEVER ? Moment.NEVER : first - Math.min(first, estimate(tick));
        long end = polls.nextEnd();
        return Math.min(untilOrg, end == Long.MAX_VALUE ? Moment.NEVER : end - Math.min(end, tick));
    }

    void dueAt(String org, long at) {
        due.set(org, at);
    }

    @Nullable
    LoadedOrganisation find(String org) {
        return residents.get(org);
    }

    /** The organisations in memory whose last sweep is the longest ago. */
    Map<String, LoadedOrganisation> leastRecentlySwept(int most) {
        Map<String, LoadedOrganisation> chosen = new LinkedHashMap<>();
        residents.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().sweptAt))
                .limit(most)
                .forEach(entry -> chosen.put(entry.getKey(), entry.getValue()));
        return chosen;
    }

    /** Loads an organisation into memory. */
    LoadedOrganisation restore(String org, OrganisationRows rows) {
        var resident = new LoadedOrganisation(rows, now);
        Absence absence = absent.remove(org);
        resident.heardFrom(
                absence == null ? grace.since() : grace.since(absence.heardFrom, absence.since, site.tick(), now));
        resident.removals = site.journal().removals();
        residents.put(org, resident);
        site.counters().add(CounterName.LOADS);
        return resident;
    }

    void evict(String org) {
        residents.remove(org);
        site.counters().add(CounterName.EVICTIONS);
    }

    /** Discards the memory of an organisation. The next pass loads it again. */
    void drop(String org) {
        LoadedOrganisation dropped = residents.remove(org);
        absent.putIfAbsent(org, new Absence(site.tick(), dropped == null ? Long.MIN_VALUE : dropped.heardFrom()));
        due.set(org, Long.MIN_VALUE);
    }

    /**
     * Removes a caller that stopped waiting. Memory with its open poll is discarded, so that the poll receives no
     * claim.
     */
    void leaves(Message<?> message) {
        if (message instanceof ClaimMessage poll && polls.leave(poll) && residents.containsKey(poll.org)) {
            drop(poll.org);
        }
    }

    /** Records that an organisation starts runs with ids of runs that ended long ago. */
    void reusesIds(String org) {
        reusing.put(org, site.tick() + REUSE_REMEMBERED);
    }

    /**
     * True if the organisation did so recently. Then reading history before a start is cheaper than a failed commit.
     */
    boolean mayReuseIds(String org, long tick) {
        Long until = reusing.get(org);
        if (until != null && until <= tick) {
            reusing.remove(org);
        }
        return until != null && until > tick;
    }

    /** Keeps ended runs of an organisation that were read from history. */
    void fromHistory(String org, List<EndedRun> runs) {
        history.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(runs);
    }

    /** Passes the ended runs that were read from history to their organisation. */
    void remember(String org, LoadedOrganisation resident) {
        List<EndedRun> runs = history.remove(org);
        if (runs != null) {
            resident.organisation.remember(runs);
        }
    }

    /** Records that the loop takes messages now. */
    void looks(long tick) {
        countStall(grace.looks(tick));
    }

    /** Records that the taken messages are decided, and written or in flight. */
    void heard() {
        if (residents.isEmpty() && absent.isEmpty()) {
            grace.rests();
        } else {
            grace.heard();
        }
    }

    private void countStall(boolean stalled) {
        if (stalled) {
            site.counters().add(CounterName.STALLS);
        }
    }

    /** Gives workers time to renew if that is due, from the latest possible time by the store's clock. */
    private void giveTime(long latest) {
        if (grace.give(latest)) {
            residents.values().forEach(resident -> resident.heardFrom(grace.since()));
        }
    }
}
