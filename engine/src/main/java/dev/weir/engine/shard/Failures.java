package dev.weir.engine.shard;

import dev.weir.engine.CommandFailed;
import dev.weir.engine.journal.JournalFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of messages and organisations when a pass, or a part of it, has failed. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);
    private static final long MICROS_PER_MILLI = 1_000;
    private static final String TRIED = "it was tried for too long; ask again";

    private final Site site;
    private final Mailbox mailbox;
    private final Holdings holdings;
    private final Troubles troubles;
    private final Inbox inbox;

    Failures(Site site, Mailbox mailbox, Holdings holdings, Troubles troubles, Inbox inbox) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.troubles = troubles;
        this.inbox = inbox;
    }

    /** Nothing of a batch was written, or nobody knows: its organisations are read again and its messages come first. */
    void undo(Batch batch) {
        undo(batch, TRIED);
    }

    /** The same, where those who have waited too long can be told more. */
    void undo(Batch batch, String tooLong) {
        batch.turns.values().forEach(turn -> undo(turn, turn.messages, tooLong));
    }

    private void undo(Turn turn, List<Message<?>> again) {
        undo(turn, again, TRIED);
    }

    private void undo(Turn turn, List<Message<?>> again, String tooLong) {
        holdings.drop(turn.org);
        for (ClaimMessage message : turn.over) {
            holdings.polls().leave(message);
            message.unavailable("it cannot be told now whether there was work; ask again", Duration.ZERO);
        }
        long tick = site.tick();
        List<Message<?>> back = new ArrayList<>();
        for (Message<?> message : again) {
            message.historyKnown = false;
            message.asksHistoryOf = null;
            if (message instanceof StartMessage start && start.left != null) {
                continue;
            }
            if (tick - message.since > Shard.PATIENCE) {
                holdings.leaves(message);
                message.unavailable(tooLong, Duration.ofSeconds(1));
            } else {
                back.add(message);
            }
        }
        mailbox.putBack(back);
    }

    /** The store would not write a batch: the culprit is looked for. */
    void refused(Batch batch, JournalFailure.Refused why) {
        site.counters().failed(Count.REFUSED, String.valueOf(why.getMessage()));
        if (batch.turns.size() > 1) {
            undo(batch);
            troubles.suspect(batch.turns.keySet());
        } else {
            batch.turns.values().forEach(turn -> failedAlone(turn, why));
        }
    }

    /** A rule has failed on the way. Nothing of that organisation is written; others go on. */
    void ruleFailed(Turn turn, Throwable why) {
        Message<?> culprit = turn.inHand();
        boolean taken =
                turn.messages.stream().anyMatch(message -> message instanceof StartMessage start && start.left != null);
        if (culprit == null) {
            failedAlone(turn, why);
        } else {
            refuse(turn, culprit, why);
        }
        if (taken) {
            throw new Inbox.InDoubt();
        }
    }

    /** An organisation fails, and no single message is known to be the cause. */
    private void failedAlone(Turn turn, Throwable why) {
        switch (troubles.failed(turn.org, turn.messages.size())) {
            case AGAIN -> undo(turn, turn.messages);
            case REFUSE_MESSAGE -> refuse(turn, turn.messages.getFirst(), why);
            case QUARANTINE -> quarantine(turn, why);
        }
    }

    private void refuse(Turn turn, Message<?> culprit, Throwable why) {
        site.counters().failed(Count.COMMANDS_FAILED, String.valueOf(why));
        LOG.error("a command of organisation {} failed, and nothing of it was done", turn.org, why);
        if (culprit instanceof ClaimMessage poll) {
            holdings.polls().leave(poll);
        } else if (culprit instanceof StartMessage start && start.left != null) {
            inbox.fails(start.left, why);
        }
        culprit.fail(new CommandFailed("the command failed, and nothing of it was done: " + why, why));
        List<Message<?>> others = new ArrayList<>(turn.messages);
        others.remove(culprit);
        undo(turn, others);
        if (troubles.strike(turn.org, site.tick())) {
            quarantine(turn.org, why);
        }
    }

    private void quarantine(Turn turn, Throwable why) {
        undo(turn, turn.messages);
        quarantine(turn.org, why);
    }

    private void quarantine(String org, Throwable why) {
        long tick = site.tick();
        troubles.quarantine(org, String.valueOf(why), tick);
        site.counters().failed(Count.QUARANTINES, "organisation " + org + ": " + why);
        LOG.error("organisation {} fails, and is left alone for {} µs", org, troubles.remaining(org, tick), why);
        mailbox.takeAll(org).forEach(message -> quarantined(message, tick));
    }

    /** What is to be known of an organisation cannot be read; its turn is undone already. */
    void unreadable(String org, Throwable why) {
        quarantine(org, why);
    }

    /** An organisation cannot be read. */
    void unreadable(Turn turn, Throwable why) {
        quarantine(turn, why);
    }

    void quarantined(Message<?> message, long tick) {
        long millis = troubles.remaining(message.org, tick) / MICROS_PER_MILLI;
        message.unavailable(
                "organisation " + message.org + " fails and is left alone for a while: " + troubles.why(message.org),
                Duration.ofMillis(millis));
    }
}
