package dev.weir.engine.shard;

import dev.weir.core.life.EndedRun;
import dev.weir.core.life.Rows;
import dev.weir.core.limit.Moment;
import dev.weir.engine.journal.Tenure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an owner has of its shard: the tenure, the organisations in memory, when they are due, and who waits for work. */
final class Holdings {
    /** How long an answer of the store is better than a later one that came more slowly, in microseconds. */
    static final long ANSWER_AGE_MAX = 30_000_000;
    /** How long it is remembered that an organisation has started a run by an id that was taken, in microseconds. */
    static final long REUSE_REMEMBERED = 60_000_000;
    /** How long nothing must have happened to an organisation before it is let go, in microseconds. */
    static final long QUIET = 300_000_000;

    private final Site site;
    private final int number;
    private final Map<String, Resident> residents = new LinkedHashMap<>();
    private final DueTimes due = new DueTimes();
    private final OpenPolls polls = new OpenPolls();
    /** What history says of runs that were asked for, to be told to their organisation when it is read. */
    private final Map<String, List<EndedRun>> history = new HashMap<>();

    private @Nullable Tenure tenure;
    private long epoch;
    private long now = Long.MIN_VALUE;
    private long nowAt;
    /**
     * What the store said, and when that was heard by the monotonic clock: of its answers the one that came fastest, as long
     * as none shows that its clock was set.
     */
    private long answer;

    private long answeredAt;
    private final Grace grace = new Grace();
    /** Organisations that have started runs by ids that were taken, and until when that is remembered. */
    private final Map<String, Long> reusing = new HashMap<>();

    private final Map<String, Absence> absent = new HashMap<>();

    /**
     * An organisation whose memory was thrown away, and is not read yet.
     *
     * @param since since when, by the monotonic clock
     * @param expiriesFrom before when none of its claims expires, by the store's clock
     */
    private record Absence(long since, long expiriesFrom) {}

    Holdings(Site site, int number) {
        this.site = site;
        this.number = number;
    }

    @Nullable
    Tenure tenure() {
        return tenure;
    }

    /** The tenure, of a shard that is taken. */
    Tenure openTenure() {
        if (tenure == null) {
            throw new IllegalStateException("expected a tenure of shard " + number + ", found none");
        }
        return tenure;
    }

    OpenPolls polls() {
        return polls;
    }

    boolean isEmpty() {
        return residents.isEmpty();
    }

    /** Begins a tenure. Memory that an owner between has made wrong is dropped. */
    void take() {
        Tenure taken = site.journal().take(number, site.owner());
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
        // Whoever was told that something could start, and came while the store was away, has to be told again.
        residents.keySet().forEach(org -> due.set(org, Long.MIN_VALUE));
    }

    /** Ends the tenure; what is in memory is what its rows say, save what was dropped. */
    void letGo() {
        Tenure over = tenure;
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
     * The time of the store when a transaction began; it never goes back.
     *
     * @param askedAt when it was asked, by the monotonic clock: what is due may then be looked at too early, never late
     * @param heardAt when it answered
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
        // An answer that was long under way is old: it may be so much later by now.
        giveTime(now + Math.max(0, heardAt - askedAt));
    }

    long now() {
        return now;
    }

    /** Time goes on without the store being asked, and no faster than its clock. */
    void passTime(long tick) {
        countStall(grace.decides(tick));
        long passed = answer + Math.max(0, tick - answeredAt);
        if (passed > now) {
            now = passed;
            nowAt = tick;
        }
        giveTime(now);
    }

    /** The time of the store as far as can be told without asking it. */
    long estimate(long tick) {
        return now == Long.MIN_VALUE ? now : now + Math.max(0, tick - nowAt);
    }

    List<String> due(long tick) {
        return due.due(estimate(tick));
    }

    /** After how many microseconds something is due. */
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
    Resident find(String org) {
        return residents.get(org);
    }

    /** Those in memory that were compared with their rows longest ago. */
    Map<String, Resident> leastRecentlySwept(int most) {
        Map<String, Resident> chosen = new LinkedHashMap<>();
        residents.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> entry.getValue().sweptAt))
                .limit(most)
                .forEach(entry -> chosen.put(entry.getKey(), entry.getValue()));
        return chosen;
    }

    /** Brings an organisation into memory. */
    Resident restore(String org, Rows rows) {
        var resident = new Resident(rows, now);
        Absence absence = absent.remove(org);
        resident.holdExpiries(
                absence == null ? grace.until() : grace.until(absence.expiriesFrom, absence.since, site.tick(), now));
        residents.put(org, resident);
        site.counters().add(Count.LOADS);
        return resident;
    }

    void evict(String org) {
        residents.remove(org);
        site.counters().add(Count.EVICTIONS);
    }

    /** Throws the memory of an organisation away; it is read again by the next pass. */
    void drop(String org) {
        Resident dropped = residents.remove(org);
        absent.putIfAbsent(org, new Absence(site.tick(), dropped == null ? Long.MIN_VALUE : dropped.expiriesFrom()));
        due.set(org, Long.MIN_VALUE);
    }

    /** Somebody does not wait any longer. Memory in which he still does is thrown away, so that he is given nothing. */
    void leaves(Message<?> message) {
        if (message instanceof ClaimMessage poll && polls.leave(poll) && residents.containsKey(poll.org)) {
            drop(poll.org);
        }
    }

    /** Somebody starts runs by the ids of others that ended long ago. */
    void reusesIds(String org) {
        reusing.put(org, site.tick() + REUSE_REMEMBERED);
    }

    /** Whether somebody did so lately, so that history is better asked before a run is started. */
    boolean mayReuseIds(String org, long tick) {
        Long until = reusing.get(org);
        if (until != null && until <= tick) {
            reusing.remove(org);
        }
        return until != null && until > tick;
    }

    /** Notes what history says of runs of an organisation. */
    void fromHistory(String org, List<EndedRun> runs) {
        history.computeIfAbsent(org, ignored -> new ArrayList<>()).addAll(runs);
    }

    /** Tells an organisation what history says. */
    void remember(String org, Resident resident) {
        List<EndedRun> runs = history.remove(org);
        if (runs != null) {
            resident.organisation.remember(runs);
        }
    }

    /** Messages are taken now. */
    void looks(long tick) {
        countStall(grace.looks(tick));
    }

    /** What was taken is decided, and written or on its way. */
    void heard() {
        if (residents.isEmpty() && absent.isEmpty()) {
            grace.rests();
        } else {
            grace.heard();
        }
    }

    private void countStall(boolean stalled) {
        if (stalled) {
            site.counters().add(Count.STALLS);
        }
    }

    /** Gives time to renew if it is due, from the latest that it can be by the store's clock. */
    private void giveTime(long latest) {
        if (grace.give(latest)) {
            residents.values().forEach(resident -> resident.holdExpiries(grace.until()));
        }
    }
}
