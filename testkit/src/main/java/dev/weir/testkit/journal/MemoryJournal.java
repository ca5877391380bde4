package dev.weir.testkit.journal;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.records.Records;
import dev.weir.engine.request.StartRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A journal in memory with the promises of a real one: a commit is visible as a whole or not at all, only one owner at
 * a time may write to a shard, and time never goes back. It is thread-safe.
 */
public final class MemoryJournal implements Journal {
    /** The name under which programs leave starts in the inbox. */
    public static final String PROGRAM = "a program";

    private final LongSupplier clock;
    private final JournalFaults faults;
    private final Map<String, StoredOrganisation> storedOrganisations = new LinkedHashMap<>();
    private final Map<Integer, Long> epochs = new TreeMap<>();
    private final List<MemoryShardOwnership> ownerships = new ArrayList<>();
    /** The starts that programs left, by the text that stands for their JSON. */
    private final Map<String, StartRequest> submissions = new HashMap<>();

    private final List<InboxStart> inbox = new ArrayList<>();
    private final MemoryLogStore logs = new MemoryLogStore(this);
    private final MemoryBulkStore bulk;
    private long latestTime = Long.MIN_VALUE;

    /** Creates a journal that uses the time of this machine and never fails. */
    public MemoryJournal() {
        this(() -> Moment.of(Instant.now()), JournalFaults.NONE);
    }

    /** Creates a journal with the given clock, which gives microseconds since 1970. */
    public MemoryJournal(LongSupplier clock, JournalFaults faults) {
        this.clock = clock;
        this.faults = faults;
        this.bulk = new MemoryBulkStore(clock);
    }

    /** Adds organisations. */
    public synchronized MemoryJournal with(String... organisations) {
        for (String org : organisations) {
            storedOrganisations.putIfAbsent(org, new StoredOrganisation());
        }
        return this;
    }

    /** Renames an organisation, and ends every ownership of its shard. Returns false if the new name is taken. */
    synchronized boolean rename(String name, String newName) {
        if (storedOrganisations.containsKey(newName)) {
            return false;
        }
        take(shardOf(name), "rename");
        storedOrganisations.put(newName, Objects.requireNonNull(storedOrganisations.remove(name)));
        return true;
    }

    /** The names of all organisations. */
    synchronized List<String> names() {
        return List.copyOf(storedOrganisations.keySet());
    }

    MemoryBulkStore bulk() {
        return bulk;
    }

    MemoryLogStore logs() {
        return logs;
    }

    /** The live claim of a unit, if it has one. */
    synchronized Optional<Claim> claim(String org, UnitId unit) {
        return organisation(org).rows(latestTime).claims().stream()
                .filter(claim -> claim.unit().equals(unit))
                .findFirst();
    }

    /** The records of this journal. */
    public Records records() {
        return new MemoryRecords(this);
    }

    @Override
    public ShardOwnership take(int shard, String owner) {
        faults.beforeTake(shard, owner);
        synchronized (this) {
            for (MemoryShardOwnership earlier : ownerships) {
                if (earlier.shard() == shard) {
                    earlier.supersede();
                }
            }
            ownerships.removeIf(earlier -> earlier.shard() == shard);
            long epoch = epochs.merge(shard, 1L, Long::sum);
            var ownership = new MemoryShardOwnership(this, shard, epoch);
            ownerships.add(ownership);
            faults.afterTake(shard, owner);
            return ownership;
        }
    }

    @Override
    public synchronized int shardOf(String org) {
        organisation(org);
        return Math.floorMod(org.hashCode(), SHARDS);
    }

    @Override
    public synchronized Set<Integer> shardsWithWork() {
        Set<Integer> living = new TreeSet<>();
        storedOrganisations.forEach((org, organisation) -> {
            if (organisation.hasUnfinishedWork()) {
                living.add(shardOf(org));
            }
        });
        return living;
    }

    @Override
    public synchronized Set<Integer> shardsWithInbox() {
        Set<Integer> shards = new TreeSet<>();
        inbox.forEach(start -> shards.add(shardOf(start.org())));
        return shards;
    }

    /** Leaves a start in the inbox, as a program does within its own transaction. */
    public synchronized void addToInbox(String org, StartRequest request) {
        String submission = "start " + submissions.size();
        submissions.put(submission, request);
        addToInbox(new InboxStart(org, PROGRAM, request, submission, null));
    }

    /** Returns the start that a text stands for; null if there is none. */
    synchronized @Nullable StartRequest submitted(@Nullable String submission) {
        return submissions.get(submission);
    }

    /** Leaves any start in the inbox. */
    public synchronized void addToInbox(InboxStart start) {
        inbox.add(start);
    }

    /** Completes commits that were sent and whose outcome nobody knows. */
    public synchronized void completePendingCommits() {
        ownerships.forEach(MemoryShardOwnership::completePending);
    }

    /** The starts that nobody has taken yet. */
    public synchronized List<InboxStart> inbox() {
        return List.copyOf(inbox);
    }

    /** The rows of an organisation, without expired values of operators. */
    public synchronized OrganisationRows rows(String org, long at) {
        return organisation(org).rows(at);
    }

    /**
     * Removes the row of a claim, as somebody with access to the store might. Returns false if there was no such row.
     */
    public synchronized boolean remove(String org, Claim claim) {
        // A commit in flight has locked the rows that it writes.
        completePendingCommits();
        return organisation(org).remove(claim);
    }

    void removeFromInbox(List<InboxStart> starts) {
        inbox.removeAll(starts);
    }

    /** The stored data of an organisation. */
    StoredOrganisation organisation(String org) {
        StoredOrganisation organisation = storedOrganisations.get(org);
        if (organisation == null) {
            throw new NoSuchElementException("there is no organisation " + org);
        }
        return organisation;
    }

    synchronized List<String> organisations(int shard) {
        List<String> found = new ArrayList<>();
        storedOrganisations.forEach((org, organisation) -> {
            if (organisation.hasUnfinishedWork() && shardOf(org) == shard) {
                found.add(org);
            }
        });
        return found;
    }

    JournalFaults faults() {
        return faults;
    }

    boolean isCurrentEpoch(int shard, long epoch) {
        return epochs.getOrDefault(shard, 0L) == epoch;
    }

    /** The current time. It is never before any time that was given or written earlier. */
    synchronized long now() {
        latestTime = Math.max(latestTime, clock.getAsLong());
        return latestTime;
    }

    /** Notes the time of a decision that was written. */
    synchronized void advanceClockTo(long time) {
        latestTime = Math.max(latestTime, time);
    }

    @Override
    public void close() {}
}
