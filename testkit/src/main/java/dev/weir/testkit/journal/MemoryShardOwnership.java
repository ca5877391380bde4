package dev.weir.testkit.journal;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadAllowance;
import dev.weir.engine.journal.LoadedRows;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.StoredDeadLetter;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.engine.journal.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** One owner's ownership of a shard of a journal in memory. */
final class MemoryShardOwnership implements ShardOwnership {
    private final MemoryJournal journal;
    private final int shard;
    private final long epoch;
    /** Transactions that may still be written. */
    private final List<MemoryTransaction> transactions = new ArrayList<>();

    MemoryShardOwnership(MemoryJournal journal, int shard, long epoch) {
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

    /** Completes the transactions that were sent and are still in flight. */
    void completePending() {
        List.copyOf(transactions).forEach(MemoryTransaction::completeIfInFlight);
    }

    /**
     * Ends this ownership because another one begins. Transactions that were sent are written now, and nothing after
     * them.
     */
    void supersede() {
        List.copyOf(transactions).forEach(MemoryTransaction::supersede);
        transactions.clear();
    }

    @Override
    public List<String> organisations() {
        journal.faults().beforeRead(shard);
        return journal.organisations(shard);
    }

    @Override
    public OrganisationRows load(String org) {
        journal.faults().beforeRead(shard);
        journal.faults().beforeLoad(org);
        OrganisationRows all = rows(org);
        return journal.faults().omitsEndedRuns(org) ? all.withoutEndedRuns() : all;
    }

    @Override
    public LoadedRows loadConcurrently(String org, boolean isQuick, LoadAllowance memory) {
        return new LoadedRows(load(org), journal.now());
    }

    private OrganisationRows rows(String org) {
        synchronized (journal) {
            return journal.organisation(org).rows(journal.now());
        }
    }

    @Override
    public Plan plan(String org, String workflow, int version) {
        journal.faults().beforeRead(shard);
        synchronized (journal) {
            return journal.organisation(org).plan(workflow, version);
        }
    }

    @Override
    public List<EndedRun> findEndedRuns(String org, Collection<String> runs) {
        journal.faults().beforeRead(shard);
        var history = new MoveHistory();
        synchronized (journal) {
            history.apply(journal.organisation(org).movesSince(0));
        }
        return history.endedRuns(runs);
    }

    @Override
    public Map<LimitId.Shared, List<LimitStart>> starts(String org, Collection<LimitId.Shared> limits) {
        journal.faults().beforeRead(shard);
        Map<LimitId.Shared, List<LimitStart>> starts = new HashMap<>();
        synchronized (journal) {
            limits.forEach(limit -> starts.put(limit, journal.organisation(org).starts(limit)));
        }
        return starts;
    }

    @Override
    public Optional<PastRun> findPastRun(String org, String run) {
        journal.faults().beforeRead(shard);
        var history = new MoveHistory();
        synchronized (journal) {
            history.apply(journal.organisation(org).movesSince(0));
        }
        return history.pastRun(run);
    }

    @Override
    public Map<String, Integer> findEvents(String org, Collection<String> ids) {
        journal.faults().beforeRead(shard);
        var history = new EventHistory();
        synchronized (journal) {
            for (Move move : journal.organisation(org).movesSince(0)) {
                if (move instanceof Move.OfEvent ofEvent) {
                    history.apply(ofEvent);
                }
            }
        }
        return history.prints(ids);
    }

    @Override
    public Optional<StoredDeadLetter> findDeadLetter(String org, long number) {
        journal.faults().beforeRead(shard);
        return journal.records()
                .deadLetters()
                .findDeadLetter(org, number)
                .map(found -> new StoredDeadLetter(
                        found.letter(),
                        new DeadLetterControl.Closed(found.state(), found.redrivenAs()),
                        journal.submitted(found.letter().content().submission()),
                        MemoryDeadLetterStore.findTriggered(found.letter().content())));
    }

    /**
     * Writes and commits in one trip. It reads the clock after anything that delayed the transaction, and passes the
     * time on when everything is done.
     */
    @Override
    public void write(PreparedWrites prepared, long decidedAt, LongConsumer clock) {
        try (Transaction transaction = begin()) {
            long now = journal.now();
            if (now - decidedAt > PreparedWrites.AGE_MAX) {
                throw new JournalFailure.TooOld("expected a decision of " + now + ", found one of " + decidedAt);
            }
            transaction.write(prepared);
            transaction.commit();
            clock.accept(now);
        }
    }

    @Override
    public Transaction begin() {
        MemoryTransaction transaction;
        synchronized (journal) {
            requireHeld();
            transactions.removeIf(MemoryTransaction::isFinished);
            transaction = new MemoryTransaction(journal, this, journal.now());
            transactions.add(transaction);
        }
        journal.faults().afterBegin(shard);
        return transaction;
    }

    void requireHeld() {
        if (!journal.isCurrentEpoch(shard, epoch)) {
            throw new JournalFailure.Fenced("expected epoch " + epoch + " of shard " + shard + ", found a later one");
        }
    }

    @Override
    public List<ClaimSummary> claims(String org, long firstRun, List<ClaimedUnit> claimed) {
        journal.faults().beforeRead(shard);
        OrganisationRows rows = rows(org);
        Set<String> runIds = new HashSet<>();
        rows.runs().stream().filter(run -> run.number() >= firstRun).forEach(run -> runIds.add(run.id()));
        List<ClaimSummary> marks = new ArrayList<>();
        for (Claim claim : rows.claims()) {
            if (runIds.contains(claim.unit().run())) {
                marks.add(new ClaimSummary(claim.unit(), claim.fence(), claim.until()));
            }
        }
        return marks;
    }

    @Override
    public SweepSlice slice(String org, long afterRun, int runs, int units) {
        journal.faults().beforeRead(shard);
        OrganisationRows rows = rows(org);
        List<SweepSlice.RunSummary> marks = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        boolean more = false;
        for (RunRow run : rows.runs()) {
            if (run.number() > afterRun && marks.size() < runs) {
                marks.add(new SweepSlice.RunSummary(run.id(), run.number(), run.state()));
                ids.add(run.id());
            } else {
                more |= run.number() > afterRun;
            }
        }
        List<SweepSlice.StepSummary> steps = new ArrayList<>();
        for (StepRow step : rows.steps()) {
            if (ids.contains(step.id().run()) && !step.state().ended() && steps.size() <= units) {
                steps.add(new SweepSlice.StepSummary(step.id(), step.state(), step.fence()));
            }
        }
        return SweepSlice.bounded(marks, steps, more, units);
    }

    @Override
    public void close() {}
}
