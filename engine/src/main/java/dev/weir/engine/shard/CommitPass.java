package dev.weir.engine.shard;

import dev.weir.core.plan.Plan;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.PreparedWrites;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the passes of a shard: gather a batch, decide it, commit it, and only then answer. If something must be read
 * first, reading, deciding and writing are one transaction that uses its time. Otherwise the store is only asked to
 * write. A failed pass leaves no trace: the memory of its organisations is discarded and loaded again.
 */
final class CommitPass {
    private final ShardContext context;
    private final Mailbox mailbox;
    private final ShardState state;
    private final Quarantine quarantine;
    private final BatchCollector collector;
    private final BatchLoader loader;
    private final StartInbox inbox;
    private final FailureHandler failures;
    private final BatchDecider decider;
    private final PartialRetry partialRetry;
    private final Responder responder;
    /** The batch that is being written. */
    private volatile @Nullable PendingCommit pendingCommit;

    private final BatchDelay batchDelay = new BatchDelay();
    private long commits;

    CommitPass(ShardContext context, Mailbox mailbox, ShardState state) {
        this.context = context;
        this.mailbox = mailbox;
        this.state = state;
        this.quarantine = new Quarantine(state.loads().organisations());
        this.inbox = new StartInbox(context, quarantine);
        this.failures = new FailureHandler(context, mailbox, state, quarantine, inbox);
        this.collector = new BatchCollector(mailbox, state, quarantine, failures);
        this.loader = new BatchLoader(mailbox, state, failures);
        this.decider = new BatchDecider(mailbox, state, failures, Watchdog.of(context));
        this.partialRetry = new PartialRetry(context, state, failures);
        this.responder = new Responder(context, mailbox, state, quarantine, inbox);
    }

    /** Takes over the loads that have ended, and returns the next batch. */
    ShardBatch gather(long monotonicNow) {
        boolean loaded = state.loads().hasEnded() && finish(null) && loader.settle();
        ShardBatch batch = collector.gather(monotonicNow);
        // The starts of an organisation stay in the inbox while it is being loaded.
        batch.includesInbox = loaded;
        return batch;
    }

    /**
     * Runs a pass, or two if the inbox must be processed in a pass of its own. Returns true if the inbox may contain
     * more starts.
     */
    boolean process(ShardBatch batch) {
        try {
            return processAll(batch);
        } catch (Error e) {
            // Waiting callers must learn that there is no answer.
            failures.undo(batch);
            throw e;
        }
    }

    private boolean processAll(ShardBatch batch) {
        if (!batch.includesInbox || batch.orgBatches.isEmpty() || inbox.canShareBatch()) {
            return processOne(batch);
        }
        batch.includesInbox = false;
        processOne(batch);
        var inboxOnly = new ShardBatch(state.polls());
        inboxOnly.includesInbox = true;
        return processOne(inboxOnly);
    }

    private boolean processOne(ShardBatch batch) {
        if (canDecideAhead(pendingCommit, batch)) {
            decideAhead(batch);
            return false;
        }
        if (!finish(batch)) {
            return batch.includesInbox;
        }
        batch.orgBatches.values().forEach(OrganisationBatch::removeServedPolls);
        try {
            return pass(batch);
        } catch (StartInbox.InboxPassFailed inboxFailed) {
            failures.undo(batch);
            inbox.takeOneByOne();
            return true;
        } catch (JournalFailure failure) {
            handleFailure(batch, failure);
            return batch.includesInbox;
        }
    }

    private void handleFailure(ShardBatch batch, JournalFailure why) {
        switch (why) {
            case JournalFailure.RunIdsInUse taken -> {
                ShardOwnership ownership = state.requireOwnership();
                partialRetry.removeConflicting(batch, null, taken, ownership);
                if (batch.includesInbox) {
                    // The transaction rolled back the starts from the inbox too. They are taken in a pass of their own,
                    // so that no other organisation has to be loaded again.
                    failures.undo(batch);
                    inbox.takeOneByOne();
                } else {
                    pendingCommit = newPendingCommit(batch, context.monotonicNow())
                            .begin(CommitExecutor.SAME_THREAD, null, false);
                    finish(null);
                }
            }
            case JournalFailure.Refused refused -> {
                failures.handleRefusal(batch, refused);
                inbox.takeOneByOne();
            }
            case JournalFailure.TooOld ignored -> partialRetry.decideAgain(batch);
            case JournalFailure.TooSlow ignored -> failures.undo(batch);
            case JournalFailure.Fenced fenced -> {
                failures.undo(batch);
                throw fenced;
            }
            case JournalFailure.Lost lost -> {
                failures.undoUnknown(batch, ShardHealth.callerMessage(lost) + ", and the request timed out");
                throw lost;
            }
        }
    }

    /**
     * True if the next batch takes messages of all organisations; false while the quarantine examines a single suspect.
     */
    boolean takesAllOrganisations() {
        return quarantine.hasNoSuspects();
    }

    /** True if a batch is being written. */
    boolean isWriting() {
        return pendingCommit != null;
    }

    /**
     * True if a batch is being written and the loop can wait for more messages before it must decide the next batch.
     */
    boolean canGatherMore(int waiting) {
        PendingCommit previous = pendingCommit;
        return previous != null && previous.canWait(batchDelay, waiting);
    }

    /** True if a batch can be decided from memory, without a read from the store. */
    private boolean canDecideAhead(@Nullable PendingCommit previous, ShardBatch batch) {
        return !batch.includesInbox
                && !partialRetry.hasRedecided(batch)
                && quarantine.isClear(batch.orgBatches.keySet())
                && (previous == null || !previous.hasQuery())
                && batch.orgBatches.values().stream()
                        .allMatch(orgBatch -> orgBatch.needsNoRead() && isReady(state.find(orgBatch.org)));
    }

    /**
     * True if everything is in memory and a decision has been made since the load. From then on, time is not behind the
     * rows.
     */
    private static boolean isReady(@Nullable LoadedOrganisation loadedOrg) {
        return loadedOrg != null
                && loadedOrg.pollsReopened
                && loadedOrg.organisation.missingStarts().isEmpty();
    }

    /**
     * Decides a batch while the previous one may still be in flight, by the estimated time of the store. If the
     * previous batch fails, this one is undone; no caller has been answered yet.
     */
    private void decideAhead(ShardBatch batch) {
        long decidedAt = context.monotonicNow();
        state.advanceTime(decidedAt);
        try {
            for (OrganisationBatch orgBatch : List.copyOf(batch.orgBatches.values())) {
                decider.decide(orgBatch, this::readPlanAfterCommit, batch);
            }
        } catch (BatchDecider.PreviousBatchFailed e) {
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
        var next = newPendingCommit(batch, decidedAt);
        batchDelay.recordDecision(batch.messageCount(), context.monotonicNow() - decidedAt);
        if (pendingCommit == null) {
            boolean backlog = mailbox.hasBacklog();
            pendingCommit = next.begin(backlog ? context.commitExecutor() : CommitExecutor.SAME_THREAD, null, false);
            if (!backlog) {
                finish(null);
            }
            return;
        }
        context.counters().add(CounterName.DECIDED_AHEAD);
        PendingCommit first = pendingCommit;
        PendingCommit previous = await(batch);
        if (previous != null) {
            // A partial retry may have written other rows than those that the prepared writes follow.
            var remaining = previous.equals(first) ? next : next.rebuild();
            try {
                pendingCommit = remaining.begin(context.commitExecutor(), null, false);
            } finally {
                respond(previous.batch);
            }
        }
    }

    private PendingCommit newPendingCommit(ShardBatch batch, long decidedAt) {
        return new PendingCommit(batch, state.requireOwnership(), context.monotonic(), decidedAt, state.now());
    }

    /** Reads a plan after the commit in flight has released the ownership. */
    private Plan readPlanAfterCommit(String org, String workflow, int version) {
        PendingCommit previous = pendingCommit;
        if (previous != null) {
            previous.await();
            if (previous.failure() != null || previous.wasTooOld()) {
                throw new BatchDecider.PreviousBatchFailed();
            }
        }
        return state.requireOwnership().plan(org, workflow, version);
    }

    /** Waits for the batch that is being written, if any, and answers its callers. Returns true if it was committed. */
    boolean finish(@Nullable ShardBatch next) {
        if (pendingCommit == null) {
            return true;
        }
        PendingCommit done = await(next);
        if (done == null) {
            return false;
        }
        respond(done.batch);
        return true;
    }

    private void respond(ShardBatch batch) {
        try {
            responder.respond(batch);
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
        PendingCommit first = Objects.requireNonNull(pendingCommit);
        first.await();
        pendingCommit = null;
        try {
            first.reportTime(state);
            first.reportDuration(batchDelay);
            return handleOutcome(partialRetry.retryRemaining(first, next, state.requireOwnership()), next);
        } catch (Error e) {
            failures.undo(first.batch);
            throw e;
        }
    }

    /** Handles the outcome of a commit. Returns it if the batch was committed, and null otherwise. */
    private @Nullable PendingCommit handleOutcome(PendingCommit done, @Nullable ShardBatch next) {
        if (done.failure() == null && !done.wasTooOld()) {
            recordCommit(done.batch, done.hasChanges());
            return done;
        }
        if (next != null) {
            failures.undo(next);
        }
        if (done.wasTooOld()) {
            partialRetry.decideAgain(done.batch);
        } else if (done.failure() instanceof JournalFailure why) {
            handleFailure(done.batch, why);
        } else {
            failures.undoUnknown(done.batch, FailureHandler.TIMEOUT_MESSAGE);
            throw Objects.requireNonNull(done.failure());
        }
        return null;
    }

    /** The number of passes that wrote changes. */
    long commits() {
        return commits;
    }

    private void recordCommit(ShardBatch batch, boolean hasChanges) {
        commits += hasChanges ? 1 : 0;
        partialRetry.recordCommit(batch);
        context.counters().add(hasChanges ? CounterName.COMMITS : CounterName.EMPTY_PASSES);
    }

    private boolean pass(ShardBatch batch) {
        ShardOwnership ownership = state.requireOwnership();
        loader.loadMissing(batch);
        for (OrganisationBatch orgBatch : List.copyOf(batch.orgBatches.values())) {
            decider.readMissing(orgBatch, ownership, batch);
        }
        if (batch.isEmpty()) {
            return false;
        }
        int taken;
        long decidedAt = context.monotonicNow();
        Transaction transaction = ownership.begin();
        boolean handedOver = false;
        try {
            state.setTime(transaction.now(), decidedAt, context.monotonicNow());
            taken = batch.includesInbox ? inbox.take(transaction, batch) : 0;
            if (loader.isAnyMissing(batch)) {
                // Nothing was decided yet. The starts stay in the inbox, and their organisations are loaded first.
                transaction.close();
                return pass(batch);
            }
            if (batch.includesInbox) {
                // Nothing was decided yet, so the time that the inbox took does not count.
                decidedAt = context.monotonicNow();
                state.advanceTime(decidedAt);
            }
            for (OrganisationBatch orgBatch : List.copyOf(batch.orgBatches.values())) {
                decider.decide(orgBatch, ownership::plan, batch);
            }
            boolean hasChanges = taken > 0 || batch.hasChanges();
            if (!batch.includesInbox && quarantine.isClear(batch.orgBatches.keySet()) && mailbox.hasBacklog()) {
                // More messages wait, so the loop decides them while this batch is being written.
                handedOver = true;
                pendingCommit = newPendingCommit(batch, decidedAt)
                        .begin(context.commitExecutor(), transaction, partialRetry.hasRedecided(batch));
                return false;
            }
            long age = context.monotonicNow() - decidedAt;
            if (hasChanges && !partialRetry.hasRedecided(batch) && age > PreparedWrites.AGE_MAX) {
                if (taken > 0 || age > PartialRetry.AGE_MAX) {
                    partialRetry.decideAgain(batch);
                    return batch.includesInbox;
                }
                partialRetry.removeTooOld(batch, null);
                hasChanges = batch.hasChanges();
            }
            PendingCommit.commitOrRollBack(transaction, PreparedWrites.of(batch.moves()), hasChanges);
            recordCommit(batch, hasChanges);
        } finally {
            if (!handedOver) {
                transaction.close();
            }
        }
        respond(batch);
        return batch.includesInbox && inbox.recordCommit(taken);
    }
}
