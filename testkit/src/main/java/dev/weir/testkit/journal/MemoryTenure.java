package dev.weir.testkit.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.ClaimedUnit;
import dev.weir.core.life.EndedRun;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.StepRow;
import dev.weir.engine.journal.ClaimMark;
import dev.weir.engine.journal.Draft;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.Slice;
import dev.weir.engine.journal.Tenure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** One owner's time with one shard of a journal in memory. */
final class MemoryTenure implements Tenure {
    private final MemoryJournal journal;
    private final int shard;
    private final long epoch;
    /** Transactions that may still be written. */
    private final List<MemoryEntry> entries = new ArrayList<>();

    MemoryTenure(MemoryJournal journal, int shard, long epoch) {
        this.journal = journal;
        this.shard = shard;
        this.epoch = epoch;
    }

    int shard() {
        return shard;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    /** Writes what was sent and is still on its way. */
    void land() {
        List.copyOf(entries).forEach(MemoryEntry::land);
    }

    /** Another tenure begins: what is on its way is written if it must be, and nothing after it. */
    void overtaken() {
        List.copyOf(entries).forEach(MemoryEntry::overtaken);
        entries.clear();
    }

    @Override
    public List<String> organisations() {
        journal.faults().reading(shard);
        return journal.organisations(shard);
    }

    @Override
    public Rows load(String org) {
        journal.faults().reading(shard);
        journal.faults().loading(org);
        Rows all = rows(org);
        return journal.faults().forgets(org) ? all.withoutEnded() : all;
    }

    private Rows rows(String org) {
        synchronized (journal) {
            return journal.shelf(org).rows(journal.now());
        }
    }

    @Override
    public Plan plan(String org, String workflow, int version) {
        journal.faults().reading(shard);
        synchronized (journal) {
            return journal.shelf(org).plan(workflow, version);
        }
    }

    @Override
    public List<EndedRun> ended(String org, Collection<String> runs) {
        journal.faults().reading(shard);
        var history = new History();
        synchronized (journal) {
            history.see(journal.shelf(org).since(0));
        }
        return history.ended(runs);
    }

    @Override
    public Optional<PastRun> past(String org, String run) {
        journal.faults().reading(shard);
        var history = new History();
        synchronized (journal) {
            history.see(journal.shelf(org).since(0));
        }
        return history.past(run);
    }

    /** All in one trip: the clock is looked at after whatever holds up the transaction, and told when all is over. */
    @Override
    public void write(Draft draft, long by, LongConsumer clock) {
        try (Entry entry = begin()) {
            long now = journal.now();
            if (now - by > Draft.AGE_MAX) {
                throw new JournalFailure.Late("expected a decision of " + now + ", found one of " + by);
            }
            entry.write(draft);
            entry.commit();
            clock.accept(now);
        }
    }

    @Override
    public Entry begin() {
        MemoryEntry begun;
        synchronized (journal) {
            requireHeld();
            entries.removeIf(MemoryEntry::over);
            begun = new MemoryEntry(journal, this, journal.now());
            entries.add(begun);
        }
        journal.faults().begun(shard);
        return begun;
    }

    void requireHeld() {
        if (!journal.holds(shard, epoch)) {
            throw new JournalFailure.Fenced("expected epoch " + epoch + " of shard " + shard + ", found a later one");
        }
    }

    @Override
    public List<ClaimMark> claims(String org, long firstRun, List<ClaimedUnit> claimed) {
        journal.faults().reading(shard);
        Rows rows = rows(org);
        Set<String> wanted = new HashSet<>();
        rows.runs().stream().filter(run -> run.number() >= firstRun).forEach(run -> wanted.add(run.id()));
        List<ClaimMark> marks = new ArrayList<>();
        for (Claim claim : rows.claims()) {
            if (wanted.contains(claim.unit().run())) {
                marks.add(new ClaimMark(claim.unit(), claim.fence(), claim.until()));
            }
        }
        return marks;
    }

    @Override
    public Slice slice(String org, long afterRun, int runs, int units) {
        journal.faults().reading(shard);
        Rows rows = rows(org);
        List<Slice.RunMark> marks = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        boolean more = false;
        for (RunRow run : rows.runs()) {
            if (run.number() > afterRun && marks.size() < runs) {
                marks.add(new Slice.RunMark(run.id(), run.number(), run.state()));
                ids.add(run.id());
            } else {
                more |= run.number() > afterRun;
            }
        }
        List<Slice.StepMark> steps = new ArrayList<>();
        for (StepRow step : rows.steps()) {
            if (ids.contains(step.id().run()) && !step.state().ended() && steps.size() <= units) {
                steps.add(new Slice.StepMark(step.id(), step.state(), step.fence()));
            }
        }
        return Slice.bounded(marks, steps, more, units);
    }

    @Override
    public void close() {}
}
