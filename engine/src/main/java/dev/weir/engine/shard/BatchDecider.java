package dev.weir.engine.shard;

import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.journal.ShardOwnership;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
     * Reads what is not in memory: an organisation, starts that count in a longer window, or ended runs that memory has
     * forgotten.
     */
    void readMissing(
            OrganisationBatch orgBatch,
            ShardOwnership ownership,
            Map<String, OrganisationRows> rows,
            ShardBatch batch) {
        try {
            LoadedOrganisation loadedOrg = state.find(orgBatch.org);
            if (loadedOrg == null) {
                rows.put(orgBatch.org, ownership.load(orgBatch.org));
            } else if (!loadedOrg.organisation.missingStarts().isEmpty()) {
                loadedOrg.organisation.addMissingStarts(
                        ownership.starts(orgBatch.org, loadedOrg.organisation.missingStarts()));
            }
            Set<String> lookedUp = new LinkedHashSet<>();
            for (Message<?> message : orgBatch.messages) {
                String run = message.runToLookUp;
                if (run != null) {
                    message.readHistory(ownership);
                    lookedUp.add(run);
                    message.runToLookUp = null;
                    message.historyRead = true;
                }
            }
            lookUpEvents(orgBatch, ownership);
            if (!lookedUp.isEmpty()) {
                state.addHistory(orgBatch.org, ownership.findEndedRuns(orgBatch.org, lookedUp));
            }
        } catch (LoadUnfinished e) {
            batch.orgBatches.remove(orgBatch.org);
            mailbox.putBack(orgBatch.messages);
            state.setDue(orgBatch.org, Long.MIN_VALUE);
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

    /**
     * Decides one organisation batch by the time of the shard state. The rows are those that were loaded for it, if
     * any.
     */
    void decide(
            OrganisationBatch orgBatch,
            OrganisationBatch.PlanReader plans,
            @Nullable OrganisationRows rows,
            ShardBatch batch) {
        try {
            LoadedOrganisation loadedOrg = state.find(orgBatch.org);
            if (loadedOrg == null) {
                OrganisationRows loaded =
                        rows == null ? state.requireOwnership().load(orgBatch.org) : rows;
                loadedOrg = state.restore(orgBatch.org, loaded);
            }
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
