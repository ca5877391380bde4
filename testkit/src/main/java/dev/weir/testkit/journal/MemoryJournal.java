package dev.weir.testkit.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Rows;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.StartRequest;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.Tenure;
import dev.weir.engine.records.Records;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * A journal in memory, with the promises of a real one: a commit is visible as a whole or not at all, one owner at a
 * time may write to a shard, and time does not go back. Safe for many threads.
 */
public final class MemoryJournal implements Journal {
    /** Who leaves starts. */
    public static final String PROGRAM = "a program";

    private final LongSupplier clock;
    private final Faults faults;
    private final Map<String, Shelf> shelves = new LinkedHashMap<>();
    private final Map<Integer, Long> epochs = new TreeMap<>();
    private final List<MemoryTenure> tenures = new ArrayList<>();
    private final List<InboxStart> inbox = new ArrayList<>();
    private final MemoryLogs logs = new MemoryLogs(this);
    private long newest = Long.MIN_VALUE;

    /** A journal whose time is that of this machine, and which does not fail. */
    public MemoryJournal() {
        this(() -> Moment.of(Instant.now()), Faults.NONE);
    }

    /** The clock gives microseconds since 1970. */
    public MemoryJournal(LongSupplier clock, Faults faults) {
        this.clock = clock;
        this.faults = faults;
    }

    /** Makes organisations known. */
    public synchronized MemoryJournal with(String... organisations) {
        for (String org : organisations) {
            shelves.putIfAbsent(org, new Shelf());
        }
        return this;
    }

    MemoryLogs logs() {
        return logs;
    }

    /** The claim of a step or item that lives. */
    synchronized Optional<Claim> claim(String org, UnitId unit) {
        return shelf(org).rows(newest).claims().stream()
                .filter(claim -> claim.unit().equals(unit))
                .findFirst();
    }

    /** What people look at. */
    public Records records() {
        return new MemoryRecords(this);
    }

    @Override
    public Tenure take(int shard, String owner) {
        faults.taking(shard, owner);
        synchronized (this) {
            for (MemoryTenure earlier : tenures) {
                if (earlier.shard() == shard) {
                    earlier.overtaken();
                }
            }
            tenures.removeIf(earlier -> earlier.shard() == shard);
            long epoch = epochs.merge(shard, 1L, Long::sum);
            var tenure = new MemoryTenure(this, shard, epoch);
            tenures.add(tenure);
            faults.taken(shard, owner);
            return tenure;
        }
    }

    @Override
    public synchronized int shardOf(String org) {
        shelf(org);
        return Math.floorMod(org.hashCode(), SHARDS);
    }

    @Override
    public synchronized Set<Integer> living() {
        Set<Integer> living = new TreeSet<>();
        shelves.forEach((org, shelf) -> {
            if (shelf.lives()) {
                living.add(shardOf(org));
            }
        });
        return living;
    }

    @Override
    public synchronized Set<Integer> inboxes() {
        Set<Integer> shards = new TreeSet<>();
        inbox.forEach(start -> shards.add(shardOf(start.org())));
        return shards;
    }

    /** Leaves a start, as a program does within its own transaction. */
    public synchronized void leave(String org, StartRequest request) {
        leave(new InboxStart(org, PROGRAM, request, null));
    }

    /** Leaves a start that may be anything. */
    public synchronized void leave(InboxStart start) {
        inbox.add(start);
    }

    /** Lets commits arrive that were sent, and of which nobody knows. */
    public synchronized void land() {
        tenures.forEach(MemoryTenure::land);
    }

    /** Starts that nobody has taken yet. */
    public synchronized List<InboxStart> inbox() {
        return List.copyOf(inbox);
    }

    /** The rows of an organisation; what operators have set for a time that is over is left out. */
    public synchronized Rows rows(String org, long at) {
        return shelf(org).rows(at);
    }

    /** Removes the row of a claim, as somebody with access to the store might; tells whether it was there. */
    public synchronized boolean remove(String org, Claim claim) {
        return shelf(org).remove(claim, now());
    }

    void taken(List<InboxStart> starts) {
        inbox.removeAll(starts);
    }

    /** Everything that was kept of an organisation. */
    Shelf shelf(String org) {
        Shelf shelf = shelves.get(org);
        if (shelf == null) {
            throw new NoSuchElementException("there is no organisation " + org);
        }
        return shelf;
    }

    synchronized List<String> organisations(int shard) {
        List<String> found = new ArrayList<>();
        shelves.forEach((org, shelf) -> {
            if (shelf.lives() && shardOf(org) == shard) {
                found.add(org);
            }
        });
        return found;
    }

    Faults faults() {
        return faults;
    }

    boolean holds(int shard, long epoch) {
        return epochs.getOrDefault(shard, 0L) == epoch;
    }

    /** The time, never behind what was given or written before. */
    synchronized long now() {
        newest = Math.max(newest, clock.getAsLong());
        return newest;
    }

    /** Something was written that was decided then. */
    synchronized void atLeast(long time) {
        newest = Math.max(newest, time);
    }

    @Override
    public void close() {}
}
