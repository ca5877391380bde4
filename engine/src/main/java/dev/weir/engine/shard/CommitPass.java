package dev.weir.engine.shard;

import dev.weir.core.plan.Plan;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the passes of a shard: gather a batch, decide it, commit it, and only then answer. If something must be read
 * first, reading, deciding and writing are one transaction that uses its time. Otherwise the store is only asked to
 * write. A failed pass leaves no trace: the memory of its organisations is discarded and loaded again.
 */
final class CommitPass {
    /**
     * The number of organisations that one pass loads because they are due, in addition to those that have messages.
     */
    static final int LOADS_MAX = 16;

    private final ShardContext site;
    private final Mailbox mailbox;
    private final ShardState holdings;
    private final Quarantine troubles = new Quarantine();
    private final StartInbox inbox;
    private final FailureHandler failures;
    private final BatchDecider deciding;
    private final PartialRetry salvage;
    private final Responder telling;
    /** The batch that is being written. */
    private volatile @Nullable PendingCommit writing;

    private final BatchDelay pace = new BatchDelay();
    private long commits;

    CommitPass(ShardContext site, Mailbox mailbox, ShardState holdings) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.inbox = new StartInbox(site, troubles);
        this.failures = new FailureHandler(site, mailbox, holdings, troubles, inbox);
        this.deciding = new BatchDecider(mailbox, holdings, failures, Watchdog.of(site));
        this.salvage = new PartialRetry(site, holdings, failures);
        this.telling = new Responder(site, mailbox, holdings, troubles, inbox);
    }

    ShardBatch gather(long tick) {
        holdings.looks(tick);
        var batch = new ShardBatch(holdings.polls());
        for (Message<?> message : mailbox.take(troubles::trust)) {
            if (troubles.quarantined(message.org, tick)) {
                failures.quarantined(message, tick);
            } else {
                batch.turn(message.org).messages.add(message);
            }
        }
        troubles.awaited().forEach(batch::turn);
        int loads = 0;
        for (String org : holdings.due(tick)) {
            if (troubles.quarantined(org, tick)) {
                holdings.dueAt(org, holdings.estimate(tick) + troubles.remaining(org, tick));
            } else if (troubles.mayGo(org) && (holdings.find(org) != null || loads++ < LOADS_MAX)) {
                batch.turn(org);
            }
        }
        for (ClaimMessage message : holdings.polls().over(tick)) {
            if (troubles.quarantined(message.org, tick)) {
                holdings.polls().leave(message);
                failures.quarantined(message, tick);
            } else if (troubles.mayGo(message.org)) {
                batch.turn(message.org).over.add(message);
            }
        }
        for (OrganisationBatch turn : batch.turns.values()) {
            if (holdings.mayReuseIds(turn.org, tick)) {
                turn.askHistoryFirst(holdings.find(turn.org));
            }
        }
        return batch;
    }

    /**
     * Runs a pass, or two if the inbox must be processed in a pass of its own. Returns true if the inbox may contain
     * more starts.
     */
    boolean attempt(ShardBatch batch) {
        try {
            return attemptAll(batch);
        } catch (Error e) {
            // Waiting callers must learn that there is no answer.
            failures.undo(batch);
            throw e;
        }
    }

    private boolean attemptAll(ShardBatch batch) {
        if (!batch.wantsInbox || batch.turns.isEmpty() || inbox.mayJoin()) {
            return attemptOne(batch);
        }
        batch.wantsInbox = false;
        attemptOne(batch);
        var alone = new ShardBatch(holdings.polls());
        alone.wantsInbox = true;
        return attemptOne(alone);
    }

    private boolean attemptOne(ShardBatch batch) {
        if (mayGoAhead(writing, batch)) {
            goAhead(batch);
            return false;
        }
        if (!finish(batch)) {
            return batch.wantsInbox;
        }
        batch.turns.values().forEach(OrganisationBatch::forgetServed);
        try {
            return pass(batch);
        } catch (StartInbox.InDoubt doubt) {
            failures.undo(batch);
            inbox.doubt();
            return true;
        } catch (JournalFailure failure) {
            failed(batch, failure);
            return batch.wantsInbox;
        }
    }

    private void failed(ShardBatch batch, JournalFailure why) {
        switch (why) {
            case JournalFailure.RunsTaken taken -> {
                ShardOwnership tenure = holdings.openTenure();
                salvage.takeOutTaken(batch, null, taken, tenure);
                if (batch.wantsInbox) {
                    // The transaction rolled back the starts from the inbox too. They are taken in a pass of their own,
                    // so that no other organisation has to be loaded again.
                    failures.undo(batch);
                    inbox.doubt();
                } else {
                    writing = writing(batch, site.tick()).begin(CommitExecutor.AT_ONCE, null, false);
                    finish(null);
                }
            }
            case JournalFailure.Refused refused -> {
                failures.refused(batch, refused);
                inbox.doubt();
            }
            case JournalFailure.Late ignored -> salvage.decideAnew(batch);
            case JournalFailure.TooSlow ignored -> failures.undo(batch);
            case JournalFailure.Fenced fenced -> {
                failures.undo(batch);
                throw fenced;
            }
            case JournalFailure.Lost lost -> {
                failures.undo(batch, ShardHealth.toCallers(lost) + ", and the request timed out");
                throw lost;
            }
        }
    }

    /**
     * True if the next batch takes messages of all organisations; false while the quarantine examines a single suspect.
     */
    boolean takesAll() {
        return troubles.suspectsNobody();
    }

    /** True if a batch is being written. */
    boolean isWriting() {
        return writing != null;
    }

    /**
     * True if a batch is being written and the loop can wait for more messages before it must decide the next batch.
     */
    boolean mayGatherMore(int waiting) {
        PendingCommit before = writing;
        return before != null && before.leavesTime(pace, waiting);
    }

    /** True if a batch can be decided from memory, without a read from the store. */
    private boolean mayGoAhead(@Nullable PendingCommit before, ShardBatch batch) {
        return !batch.wantsInbox
                && !salvage.isAnew(batch)
                && troubles.none(batch.turns.keySet())
                && (before == null || !before.isLookedAt())
                && batch.turns.values().stream()
                        .allMatch(turn -> turn.needsNothing() && isSettled(holdings.find(turn.org)));
    }

    /**
     * True if everything is in memory and a decision has been made since the load. From then on, time is not behind the
     * rows.
     */
    private static boolean isSettled(@Nullable LoadedOrganisation resident) {
        return resident != null
                && resident.rejoined
                && resident.organisation.missingStarts().isEmpty();
    }

    /**
     * Decides a batch while the previous one may still be in flight, by the estimated time of the store. If the
     * previous batch fails, this one is undone; no caller has been answered yet.
     */
    private void goAhead(ShardBatch batch) {
        long decidedAt = site.tick();
        holdings.passTime(decidedAt);
        try {
            for (OrganisationBatch turn : List.copyOf(batch.turns.values())) {
                deciding.decide(turn, this::readLater, null, batch);
            }
        } catch (BatchDecider.BeforeFailed e) {
            failures.undo(batch);
            finish(null);
            return;
        } catch (JournalFailure e) {
            failures.undo(batch);
            finish(null);
            if (e instanceof JournalFailure.TooSlow) {
                return;
            }
            throw e;
        }
        var next = writing(batch, decidedAt);
        pace.decided(batch.messages(), site.tick() - decidedAt);
        if (writing == null) {
            boolean much = mailbox.isMuch();
            writing = next.begin(much ? site.writers() : CommitExecutor.AT_ONCE, null, false);
            if (!much) {
                finish(null);
            }
            return;
        }
        site.counters().add(CounterName.DECIDED_AHEAD);
        PendingCommit first = writing;
        PendingCommit before = await(batch);
        if (before != null) {
            // A partial retry may have written other rows than those that the prepared writes follow.
            var left = before.equals(first) ? next : next.madeAgain();
            try {
                writing = left.begin(site.writers(), null, false);
            } finally {
                tell(before.batch);
            }
        }
    }

    private PendingCommit writing(ShardBatch batch, long decidedAt) {
        return new PendingCommit(batch, holdings.openTenure(), site.monotonic(), decidedAt, holdings.now());
    }

    /** Reads a plan after the commit in flight has released the ownership. */
    private Plan readLater(String org, String workflow, int version) {
        PendingCommit before = writing;
        if (before != null) {
            before.await();
            if (before.failure() != null || before.old()) {
                throw new BatchDecider.BeforeFailed();
            }
        }
        return holdings.openTenure().plan(org, workflow, version);
    }

    /** Waits for the batch that is being written, if any, and answers its callers. Returns true if it was committed. */
    boolean finish(@Nullable ShardBatch next) {
        if (writing == null) {
            return true;
        }
        PendingCommit done = await(next);
        if (done == null) {
            return false;
        }
        tell(done.batch);
        return true;
    }

    private void tell(ShardBatch batch) {
        try {
            telling.all(batch);
        } catch (Error e) {
            // The shard closes, and callers without an answer receive that error.
            failures.undo(batch);
            throw e;
        }
    }

    /**
     * Waits for the batch that is being written. If it failed, the next batch is undone first, so that all messages
     * keep their order, and the result is null.
     */
    private @Nullable PendingCommit await(@Nullable ShardBatch next) {
        PendingCommit first = Objects.requireNonNull(writing);
        first.await();
        writing = null;
        try {
            first.tellTime(holdings);
            first.tell(pace);
            return became(salvage.rest(first, next, holdings.openTenure()), next);
        } catch (Error e) {
            failures.undo(first.batch);
            throw e;
        }
    }

    /** Handles the outcome of a commit. Returns it if the batch was committed, and null otherwise. */
    private @Nullable PendingCommit became(PendingCommit done, @Nullable ShardBatch next) {
        if (done.failure() == null && !done.old()) {
            written(done.batch, done.changes());
            return done;
        }
        if (next != null) {
            failures.undo(next);
        }
        if (done.old()) {
            salvage.decideAnew(done.batch);
        } else if (done.failure() instanceof JournalFailure why) {
            failed(done.batch, why);
        } else {
            failures.undo(done.batch);
            throw Objects.requireNonNull(done.failure());
        }
        return null;
    }

    /** The number of passes that wrote changes. */
    long commits() {
        return commits;
    }

    private void written(ShardBatch batch, boolean changes) {
        commits += changes ? 1 : 0;
        salvage.written(batch);
        site.counters().add(changes ? CounterName.COMMITS : CounterName.EMPTY_PASSES);
    }

    private boolean pass(ShardBatch batch) {
        ShardOwnership tenure = holdings.openTenure();
        Map<String, OrganisationRows> rows = new HashMap<>();
        for (OrganisationBatch turn : List.copyOf(batch.turns.values())) {
            deciding.read(turn, tenure, rows, batch);
        }
        int taken;
        long decidedAt = site.tick();
        Transaction entry = tenure.begin();
        boolean handedOn = false;
        try {
            holdings.at(entry.now(), decidedAt, site.tick());
            taken = batch.wantsInbox ? inbox.take(entry, batch) : 0;
            if (batch.wantsInbox) {
                // Nothing was decided yet, so the time that the inbox took does not count.
                decidedAt = site.tick();
                holdings.passTime(decidedAt);
            }
            for (OrganisationBatch turn : List.copyOf(batch.turns.values())) {
                deciding.decide(turn, tenure::plan, rows.get(turn.org), batch);
            }
            boolean changes = taken > 0 || batch.changes();
            if (!batch.wantsInbox && troubles.none(batch.turns.keySet()) && mailbox.isMuch()) {
                // More messages wait, so the loop decides them while this batch is being written.
                handedOn = true;
                writing = writing(batch, decidedAt).begin(site.writers(), entry, salvage.isAnew(batch));
                return false;
            }
            long age = site.tick() - decidedAt;
            if (changes && !salvage.isAnew(batch) && age > PreparedWrites.AGE_MAX) {
                if (taken > 0 || age > PartialRetry.AGE_MAX) {
                    salvage.decideAnew(batch);
                    return batch.wantsInbox;
                }
                salvage.takeOutOld(batch, null);
                changes = batch.changes();
            }
            PendingCommit.end(entry, PreparedWrites.of(batch.moves()), changes);
            written(batch, changes);
        } finally {
            if (!handedOn) {
                entry.close();
            }
        }
        tell(batch);
        return batch.wantsInbox && inbox.wentWell(taken);
    }
}
