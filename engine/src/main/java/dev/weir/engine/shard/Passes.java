package dev.weir.engine.shard;

import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import dev.weir.engine.journal.Draft;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The passes of a shard: gather a batch, decide it, write, commit, and only then tell anybody. Where something has to be
 * read first, all of it is one transaction, and its time counts; else the store is asked only to write. What fails leaves
 * no trace: memory is thrown away and read again.
 */
final class Passes {
    /** Organisations that one pass reads because they are due, besides those that somebody asks something of. */
    static final int LOADS_MAX = 16;

    private final Site site;
    private final Mailbox mailbox;
    private final Holdings holdings;
    private final Troubles troubles = new Troubles();
    private final Inbox inbox;
    private final Failures failures;
    private final Deciding deciding;
    private final Salvage salvage;
    private final Telling telling;
    /** The batch that is being written. */
    private volatile @Nullable Writing writing;

    private final Pace pace = new Pace();
    private long commits;

    Passes(Site site, Mailbox mailbox, Holdings holdings) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.inbox = new Inbox(site, troubles);
        this.failures = new Failures(site, mailbox, holdings, troubles, inbox);
        this.deciding = new Deciding(holdings, failures);
        this.salvage = new Salvage(site, holdings, failures);
        this.telling = new Telling(site, mailbox, holdings, troubles, inbox);
    }

    Batch gather(long tick) {
        holdings.looks(tick);
        var batch = new Batch(holdings.polls());
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
        for (Turn turn : batch.turns.values()) {
            if (holdings.mayReuseIds(turn.org, tick)) {
                turn.askHistoryFirst(holdings.find(turn.org));
            }
        }
        return batch;
    }

    /** Makes a pass, or two if the inbox is to be taken from alone. Tells whether there may be more in it. */
    boolean attempt(Batch batch) {
        try {
            return attemptAll(batch);
        } catch (Error e) {
            // Whoever waits for an answer is told that there is none.
            failures.undo(batch);
            throw e;
        }
    }

    private boolean attemptAll(Batch batch) {
        if (!batch.wantsInbox || batch.turns.isEmpty() || inbox.mayJoin()) {
            return attemptOne(batch);
        }
        batch.wantsInbox = false;
        attemptOne(batch);
        var alone = new Batch(holdings.polls());
        alone.wantsInbox = true;
        return attemptOne(alone);
    }

    private boolean attemptOne(Batch batch) {
        if (mayGoAhead(writing, batch)) {
            goAhead(batch);
            return false;
        }
        if (!finish(batch)) {
            return batch.wantsInbox;
        }
        batch.turns.values().forEach(Turn::forgetServed);
        try {
            return pass(batch);
        } catch (Inbox.InDoubt doubt) {
            failures.undo(batch);
            inbox.doubt();
            return true;
        } catch (JournalFailure failure) {
            failed(batch, failure);
            return batch.wantsInbox;
        }
    }

    private void failed(Batch batch, JournalFailure why) {
        switch (why) {
            case JournalFailure.RunsTaken taken -> {
                Tenure tenure = holdings.openTenure();
                salvage.takeOutTaken(batch, null, taken, tenure);
                if (batch.wantsInbox) {
                    // What was taken from the inbox went with the transaction; it is taken alone, so that nobody else
                    // is read again.
                    failures.undo(batch);
                    inbox.doubt();
                } else {
                    writing = writing(batch, site.tick()).begin(Beside.AT_ONCE, null, false);
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
                failures.undo(batch, Outage.toCallers(lost) + ", and it was tried for too long; ask again");
                throw lost;
            }
        }
    }

    /** Whether messages of all organisations are taken, and not only those of one that is looked at for a culprit. */
    boolean takesAll() {
        return troubles.suspectsNobody();
    }

    /** Whether a batch is being written. */
    boolean isWriting() {
        return writing != null;
    }

    /** Whether a batch is being written, and more messages can be waited for before the next has to be decided. */
    boolean mayGatherMore(int waiting) {
        Writing before = writing;
        return before != null && before.leavesTime(pace, waiting);
    }

    /** Whether a batch can be decided without asking the store for anything: all that it needs is in memory. */
    private boolean mayGoAhead(@Nullable Writing before, Batch batch) {
        return !batch.wantsInbox
                && !salvage.isAnew(batch)
                && troubles.none(batch.turns.keySet())
                && (before == null || !before.isLookedAt())
                && batch.turns.values().stream()
                        .allMatch(turn -> turn.needsNothing() && isSettled(holdings.find(turn.org)));
    }

    /** Whether it is in memory, and something was decided since it was read: from then on time is not behind its rows. */
    private static boolean isSettled(@Nullable Resident resident) {
        return resident != null && resident.rejoined;
    }

    /**
     * Decides a batch on top of what may still be being written, by the time of the store as far as can be told. If the
     * one before fails, nothing of this one was ever said.
     */
    private void goAhead(Batch batch) {
        long decidedAt = site.tick();
        holdings.passTime(decidedAt);
        try {
            for (Turn turn : List.copyOf(batch.turns.values())) {
                deciding.decide(turn, this::readLater, null, batch);
            }
        } catch (Deciding.BeforeFailed e) {
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
            writing = next.begin(much ? site.writers() : Beside.AT_ONCE, null, false);
            if (!much) {
                finish(null);
            }
            return;
        }
        site.counters().add(Count.DECIDED_AHEAD);
        Writing first = writing;
        Writing before = await(batch);
        if (before != null) {
            // What was salvaged may be other rows than those that the next ones were made to follow.
            var left = before.equals(first) ? next : next.madeAgain();
            try {
                writing = left.begin(site.writers(), null, false);
            } finally {
                tell(before.batch);
            }
        }
    }

    private Writing writing(Batch batch, long decidedAt) {
        return new Writing(batch, holdings.openTenure(), site.monotonic(), decidedAt, holdings.now());
    }

    /** Reads a plan once the tenure is not in use any more. */
    private Plan readLater(String org, String workflow, int version) {
        Writing before = writing;
        if (before != null) {
            before.await();
            if (before.failure() != null || before.old()) {
                throw new Deciding.BeforeFailed();
            }
        }
        return holdings.openTenure().plan(org, workflow, version);
    }

    /** Waits for the batch that is being written, if any, and tells those who asked. Tells whether all went well. */
    boolean finish(@Nullable Batch next) {
        if (writing == null) {
            return true;
        }
        Writing done = await(next);
        if (done == null) {
            return false;
        }
        tell(done.batch);
        return true;
    }

    private void tell(Batch batch) {
        try {
            telling.all(batch);
        } catch (Error e) {
            // The shard closes, and whoever was not told yet is told that.
            failures.undo(batch);
            throw e;
        }
    }

    /**
     * Waits for the batch that is being written. If it failed, the next batch is undone before it, so that all messages
     * keep their order, and nothing is given back.
     */
    private @Nullable Writing await(@Nullable Batch next) {
        Writing first = Objects.requireNonNull(writing);
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

    /** Sees to what has become of a batch; gives it back if it is written. */
    private @Nullable Writing became(Writing done, @Nullable Batch next) {
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

    /** How often something was written. */
    long commits() {
        return commits;
    }

    private void written(Batch batch, boolean changes) {
        commits += changes ? 1 : 0;
        salvage.written(batch);
        site.counters().add(changes ? Count.COMMITS : Count.EMPTY_PASSES);
    }

    private boolean pass(Batch batch) {
        Tenure tenure = holdings.openTenure();
        Map<String, Rows> rows = new HashMap<>();
        for (Turn turn : List.copyOf(batch.turns.values())) {
            deciding.read(turn, tenure, rows, batch);
        }
        int taken;
        long decidedAt = site.tick();
        Entry entry = tenure.begin();
        boolean handedOn = false;
        try {
            holdings.at(entry.now(), decidedAt, site.tick());
            taken = batch.wantsInbox ? inbox.take(entry, batch) : 0;
            if (batch.wantsInbox) {
                // However long that took, nothing was decided yet.
                decidedAt = site.tick();
                holdings.passTime(decidedAt);
            }
            for (Turn turn : List.copyOf(batch.turns.values())) {
                deciding.decide(turn, tenure::plan, rows.get(turn.org), batch);
            }
            boolean changes = taken > 0 || batch.changes();
            if (!batch.wantsInbox && troubles.none(batch.turns.keySet()) && mailbox.isMuch()) {
                // There is more to decide: this one is written meanwhile.
                handedOn = true;
                writing = writing(batch, decidedAt).begin(site.writers(), entry, salvage.isAnew(batch));
                return false;
            }
            long age = site.tick() - decidedAt;
            if (changes && !salvage.isAnew(batch) && age > Draft.AGE_MAX) {
                if (taken > 0 || age > Salvage.AGE_MAX) {
                    salvage.decideAnew(batch);
                    return batch.wantsInbox;
                }
                salvage.takeOutOld(batch, null);
                changes = batch.changes();
            }
            Writing.end(entry, Draft.of(batch.moves()), changes);
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
