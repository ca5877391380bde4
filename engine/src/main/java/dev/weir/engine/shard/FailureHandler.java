package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.request.CommandFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles messages and organisations after a pass, or a part of it, failed. */
final class FailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);
    private static final long MICROS_PER_MILLI = 1_000;
    private static final String TRIED = "the request timed out";

    private final ShardContext site;
    private final Mailbox mailbox;
    private final ShardState holdings;
    private final Quarantine troubles;
    private final StartInbox inbox;

    FailureHandler(ShardContext site, Mailbox mailbox, ShardState holdings, Quarantine troubles, StartInbox inbox) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.troubles = troubles;
        this.inbox = inbox;
    }

    /**
     * Undoes a batch that was not written, or whose outcome is unknown. Its organisations are loaded again, and its
     * messages come first in the next batch.
     */
    void undo(ShardBatch batch) {
        undo(batch, TRIED);
    }

    /** Undoes a batch, with a specific message for callers that have waited too long. */
    void undo(ShardBatch batch, String tooLong) {
        batch.turns.values().forEach(turn -> undo(turn, turn.messages, tooLong));
    }

    private void undo(OrganisationBatch turn, List<Message<?>> again) {
        undo(turn, again, TRIED);
    }

    private void undo(OrganisationBatch turn, List<Message<?>> again, String tooLong) {
        holdings.drop(turn.org);
        for (ClaimMessage message : turn.over) {
            holdings.polls().leave(message);
            message.unavailable("the outcome of the poll is unknown", Duration.ZERO);
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

    /** Handles a batch that the store refused to write: starts the search for the organisation that causes it. */
    void refused(ShardBatch batch, JournalFailure.Refused why) {
        site.counters().failed(CounterName.REFUSED, String.valueOf(why.getMessage()));
        if (batch.turns.size() > 1) {
            undo(batch);
            troubles.suspect(batch.turns.keySet());
        } else {
            batch.turns.values().forEach(turn -> failedAlone(turn, why));
        }
    }

    /** Handles a rule that failed. Nothing of that organisation is written; the others continue. */
    void ruleFailed(OrganisationBatch turn, Throwable why) {
        Message<?> culprit = turn.inHand();
        boolean taken =
                turn.messages.stream().anyMatch(message -> message instanceof StartMessage start && start.left != null);
        if (culprit == null) {
            failedAlone(turn, why);
        } else {
            refuse(turn, culprit, why);
        }
        if (taken) {
            throw new StartInbox.InDoubt();
        }
    }

    /** Handles an organisation that failed without a known culprit message. */
    private void failedAlone(OrganisationBatch turn, Throwable why) {
        switch (troubles.failed(turn.org, turn.messages.size())) {
            case AGAIN -> undo(turn, turn.messages);
            case REFUSE_MESSAGE -> refuse(turn, turn.messages.getFirst(), why);
            case QUARANTINE -> quarantine(turn, why);
        }
    }

    private void refuse(OrganisationBatch turn, Message<?> culprit, Throwable why) {
        site.counters().failed(CounterName.COMMANDS_FAILED, String.valueOf(why));
        LOG.error("A command of organisation {} failed; it changed nothing", turn.org, why);
        if (culprit instanceof ClaimMessage poll) {
            holdings.polls().leave(poll);
        } else if (culprit instanceof StartMessage start && start.left != null) {
            inbox.fails(start.left, why);
        }
        culprit.fail(new CommandFailed("the command failed and changed nothing: " + why, why));
        List<Message<?>> others = new ArrayList<>(turn.messages);
        others.remove(culprit);
        undo(turn, others);
        if (troubles.strike(turn.org, site.tick())) {
            quarantine(turn.org, why);
        }
    }

    private void quarantine(OrganisationBatch turn, Throwable why) {
        undo(turn, turn.messages);
        quarantine(turn.org, why);
    }

    private void quarantine(String org, Throwable why) {
        long tick = site.tick();
        troubles.quarantine(org, String.valueOf(why), tick);
        site.counters().failed(CounterName.QUARANTINES, "organisation " + org + ": " + why);
        LOG.error("Organisation {} fails; Weir does not serve it for {} µs", org, troubles.remaining(org, tick), why);
        mailbox.takeAll(org).forEach(message -> quarantined(message, tick));
    }

    /** Quarantines an organisation whose history cannot be read. Its batch is already undone. */
    void unreadable(String org, Throwable why) {
        quarantine(org, why);
    }

    /** Undoes and quarantines an organisation that cannot be read. */
    void unreadable(OrganisationBatch turn, Throwable why) {
        quarantine(turn, why);
    }

    void quarantined(Message<?> message, long tick) {
        long millis = troubles.remaining(message.org, tick) / MICROS_PER_MILLI;
        message.unavailable(
                "organisation " + message.org + " fails, and Weir does not serve it for a while: "
                        + troubles.why(message.org),
                Duration.ofMillis(millis));
    }
}
