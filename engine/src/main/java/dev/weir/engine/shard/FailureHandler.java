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
    static final String TIMEOUT_MESSAGE = "the request timed out";

    private final ShardContext context;
    private final Mailbox mailbox;
    private final ShardState state;
    private final Quarantine quarantine;
    private final StartInbox inbox;

    FailureHandler(ShardContext context, Mailbox mailbox, ShardState state, Quarantine quarantine, StartInbox inbox) {
        this.context = context;
        this.mailbox = mailbox;
        this.state = state;
        this.quarantine = quarantine;
        this.inbox = inbox;
    }

    /**
     * Undoes a batch that was not written, or whose outcome is unknown. Its organisations are loaded again, and its
     * messages come first in the next batch.
     */
    void undo(ShardBatch batch) {
        undo(batch, TIMEOUT_MESSAGE);
    }

    /** Undoes a batch, with a specific message for callers that have waited too long. */
    void undo(ShardBatch batch, String timeoutMessage) {
        batch.orgBatches.values().forEach(orgBatch -> undo(orgBatch, orgBatch.messages, timeoutMessage));
    }

    /** Puts the messages of an organisation back, because it is not in memory. Nothing was decided for it. */
    void postpone(OrganisationBatch orgBatch) {
        mailbox.putBack(orgBatch.messages);
        for (Message<?> message : orgBatch.messages) {
            message.historyRead = false;
            message.runToLookUp = null;
        }
    }

    /** Undoes a batch that may have been written all the same. */
    void undoUnknown(ShardBatch batch, String timeoutMessage) {
        batch.orgBatches.keySet().forEach(context.commitListener()::onUnknownChanges);
        undo(batch, timeoutMessage);
    }

    private void undo(OrganisationBatch orgBatch, List<Message<?>> toRetry) {
        undo(orgBatch, toRetry, TIMEOUT_MESSAGE);
    }

    private void undo(OrganisationBatch orgBatch, List<Message<?>> toRetry, String timeoutMessage) {
        state.drop(orgBatch.org);
        for (ClaimMessage message : orgBatch.expiredPolls) {
            state.polls().remove(message);
            message.failUnavailable("the outcome of the poll is unknown", Duration.ZERO);
        }
        long monotonicNow = context.monotonicNow();
        List<Message<?>> requeued = new ArrayList<>();
        for (Message<?> message : toRetry) {
            message.forgetHistory();
            if (message instanceof StartMessage start && start.inboxStart != null) {
                continue;
            }
            if (monotonicNow - message.arrivedAt > Shard.REQUEST_TIMEOUT) {
                state.removeCaller(message);
                message.failUnavailable(timeoutMessage, Duration.ofSeconds(1));
            } else {
                requeued.add(message);
            }
        }
        mailbox.putBack(requeued);
    }

    /** Handles a batch that the store refused to write: starts the search for the organisation that causes it. */
    void handleRefusal(ShardBatch batch, JournalFailure.Refused cause) {
        context.counters().recordFailure(CounterName.REFUSED, String.valueOf(cause.getMessage()));
        if (batch.orgBatches.size() > 1) {
            undo(batch);
            quarantine.suspect(batch.orgBatches.keySet());
        } else {
            batch.orgBatches.values().forEach(orgBatch -> handleSingleFailure(orgBatch, cause));
        }
    }

    /** Handles a rule that failed. Nothing of that organisation is written; the others continue. */
    void handleRuleFailure(OrganisationBatch orgBatch, Throwable cause) {
        Message<?> culprit = orgBatch.currentMessage();
        boolean taken = orgBatch.messages.stream()
                .anyMatch(message -> message instanceof StartMessage start && start.inboxStart != null);
        if (culprit == null) {
            handleSingleFailure(orgBatch, cause);
        } else {
            refuse(orgBatch, culprit, cause);
        }
        if (taken) {
            throw new StartInbox.InboxPassFailed();
        }
    }

    /** Handles an organisation that failed without a known culprit message. */
    private void handleSingleFailure(OrganisationBatch orgBatch, Throwable cause) {
        switch (quarantine.recordFailure(orgBatch.org, orgBatch.messages.size())) {
            case RETRY_WITH_FEWER -> undo(orgBatch, orgBatch.messages);
            case REFUSE_MESSAGE -> refuse(orgBatch, orgBatch.messages.getFirst(), cause);
            case QUARANTINE -> quarantine(orgBatch, cause);
        }
    }

    private void refuse(OrganisationBatch orgBatch, Message<?> culprit, Throwable cause) {
        context.counters().recordFailure(CounterName.COMMANDS_FAILED, String.valueOf(cause));
        LOG.error("A command of organisation {} failed; it changed nothing", orgBatch.org, cause);
        if (culprit instanceof ClaimMessage poll) {
            state.polls().remove(poll);
        } else if (culprit instanceof StartMessage start && start.inboxStart != null) {
            inbox.recordFailing(start.inboxStart, cause);
        }
        culprit.fail(new CommandFailed("the command failed and changed nothing: " + cause, cause));
        List<Message<?>> others = new ArrayList<>(orgBatch.messages);
        others.remove(culprit);
        undo(orgBatch, others);
        if (quarantine.recordFailedCommand(orgBatch.org, context.monotonicNow())) {
            quarantine(orgBatch.org, cause);
        }
    }

    private void quarantine(OrganisationBatch orgBatch, Throwable cause) {
        undo(orgBatch, orgBatch.messages);
        quarantine(orgBatch.org, cause);
    }

    private void quarantine(String org, Throwable cause) {
        long monotonicNow = context.monotonicNow();
        quarantine.add(org, String.valueOf(cause), monotonicNow);
        context.counters().recordFailure(CounterName.QUARANTINES, "organisation " + org + ": " + cause);
        LOG.error(
                "Organisation {} fails; Weir does not serve it for {} µs",
                org,
                quarantine.remaining(org, monotonicNow),
                cause);
        mailbox.takeAll(org).forEach(message -> rejectQuarantined(message, monotonicNow));
    }

    /** Quarantines an organisation whose history cannot be read. Its batch is already undone. */
    void quarantineUnreadable(String org, Throwable cause) {
        quarantine(org, cause);
    }

    /** Undoes and quarantines an organisation that cannot be read. */
    void quarantineUnreadable(OrganisationBatch orgBatch, Throwable cause) {
        quarantine(orgBatch, cause);
    }

    void rejectQuarantined(Message<?> message, long monotonicNow) {
        long millis = quarantine.remaining(message.org, monotonicNow) / MICROS_PER_MILLI;
        message.failUnavailable(
                "organisation " + message.org + " fails, and Weir does not serve it for a while: "
                        + quarantine.reason(message.org),
                Duration.ofMillis(millis));
    }
}
