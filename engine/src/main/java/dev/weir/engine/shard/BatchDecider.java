package dev.weir.engine.shard;

import dev.weir.core.run.Organisation;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Decides the organisation batches of a shard batch one by one. An organisation that fails leaves the batch, and the
 * others continue.
 */
final class BatchDecider {
    private final Mailbox mailbox;
    private final ShardState state;
    private final FailureHandler failures;
    private final Watchdog watchdog;

    BatchDecider(Mailbox mailbox, ShardState state, FailureHandler failures, Watchdog watchdog) {
        this.mailbox = mailbox;
        this.state = state;
        this.failures = failures;
        this.watchdog = watchdog;
    }

    /** Thrown if the previous batch was not written, which invalidates what was decided after it. */
    static final class PreviousBatchFailed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Reads what is not in memory: starts that count in a longer window, or ended runs that memory has forgotten. The
     * organisation itself must be in memory.
     */
    void readMissing(OrganisationBatch orgBatch, ShardOwnership ownership, ShardBatch batch) {
        try {
            Organisation organisation = loadedOrg(orgBatch.org).organisation;
            if (!organisation.missingStarts().isEmpty()) {
                organisation.addMissingStarts(ownership.starts(orgBatch.org, organisation.missingStarts()));
            }
            Set<String> lookedUp = new LinkedHashSet<>();
            for (Message<?> message : orgBatch.messages) {
                if (message.runToLookUp != null) {
                    // The first read can name the run to look up.
                    message.readHistory(ownership);
                    lookedUp.add(Objects.requireNonNull(message.runToLookUp));
                    message.runToLookUp = null;
                    message.historyRead = true;
                }
            }
            lookUpEvents(orgBatch, ownership);
            if (!lookedUp.isEmpty()) {
                state.addHistory(orgBatch.org, ownership.findEndedRuns(orgBatch.org, lookedUp));
            }
        } catch (JournalFailure.TooSlow e) {
            quarantine(orgBatch, batch, e);
        } catch (JournalFailure e) {
            throw e;
        } catch (RuntimeException e) {
            quarantine(orgBatch, batch, e);
        }
    }

    private static void lookUpEvents(OrganisationBatch orgBatch, ShardOwnership ownership) {
        List<EventMessage> events = orgBatch.eventsToLookUp();
        if (!events.isEmpty()) {
            List<String> ids = events.stream().map(EventMessage::idToLookUp).toList();
            Map<String, Integer> prints = ownership.findEvents(orgBatch.org, ids);
            events.forEach(event -> event.recordStored(prints));
        }
    }

    private LoadedOrganisation loadedOrg(String org) {
        return Objects.requireNonNull(state.find(org), () -> "expected organisation " + org + " in memory, found none");
    }

    /** Decides one organisation batch by the time of the shard state. The organisation must be in memory. */
    void decide(OrganisationBatch orgBatch, OrganisationBatch.PlanReader plans, ShardBatch batch) {
        try {
            LoadedOrganisation loadedOrg = loadedOrg(orgBatch.org);
            state.deliverHistory(orgBatch.org, loadedOrg);
            orgBatch.decide(loadedOrg, plans, state.now(), watchdog);
            state.publishHeld(loadedOrg);
            mailbox.putBack(orgBatch.removeDeferred());
        } catch (JournalFailure.TooSlow e) {
            // The open transaction is over, and earlier decisions are lost with it. The other organisations are
            // retried.
            quarantine(orgBatch, batch, e);
            throw e;
        } catch (JournalFailure | PreviousBatchFailed | StartInbox.InboxPassFailed e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            batch.orgBatches.remove(orgBatch.org);
            failures.handleRuleFailure(orgBatch, e);
        }
    }

    /** Quarantines an organisation that cannot be read; the others continue. */
    private void quarantine(OrganisationBatch orgBatch, ShardBatch batch, RuntimeException cause) {
        batch.orgBatches.remove(orgBatch.org);
        failures.quarantineUnreadable(orgBatch, cause);
    }
}
