package dev.weir.engine.shard;

import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.journal.ShardOwnership;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides the organisation batches of a shard batch one by one. An organisation that fails leaves the batch, and the
 * others continue.
 */
final class BatchDecider {
    private final Mailbox mailbox;
    private final ShardState holdings;
    private final FailureHandler failures;
    private final Watchdog watchdog;

    BatchDecider(Mailbox mailbox, ShardState holdings, FailureHandler failures, Watchdog watchdog) {
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.failures = failures;
        this.watchdog = watchdog;
    }

    /** Thrown if the previous batch was not written, which invalidates what was decided after it. */
    static final class BeforeFailed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Reads what is not in memory: an organisation, starts that count in a longer window, or ended runs that memory has
     * forgotten.
     */
    void read(OrganisationBatch turn, ShardOwnership tenure, Map<String, OrganisationRows> rows, ShardBatch batch) {
        try {
            LoadedOrganisation resident = holdings.find(turn.org);
            if (resident == null) {
                rows.put(turn.org, tenure.load(turn.org));
            } else if (!resident.organisation.missingStarts().isEmpty()) {
                resident.organisation.learnStarts(tenure.starts(turn.org, resident.organisation.missingStarts()));
            }
            Set<String> asked = new LinkedHashSet<>();
            for (Message<?> message : turn.messages) {
                String run = message.asksHistoryOf;
                if (run != null) {
                    message.learn(tenure);
                    asked.add(run);
                    message.asksHistoryOf = null;
                    message.historyKnown = true;
                }
            }
            if (!asked.isEmpty()) {
                holdings.fromHistory(turn.org, tenure.ended(turn.org, asked));
            }
        } catch (LoadUnfinished e) {
            batch.turns.remove(turn.org);
            mailbox.putBack(turn.messages);
            holdings.dueAt(turn.org, Long.MIN_VALUE);
        } catch (JournalFailure.TooSlow e) {
            setAside(turn, batch, e);
        } catch (JournalFailure e) {
            throw e;
        } catch (RuntimeException e) {
            setAside(turn, batch, e);
        }
    }

    /**
     * Decides one organisation batch by the time of the shard state. The rows are those that were loaded for it, if
     * any.
     */
    void decide(
            OrganisationBatch turn,
            OrganisationBatch.PlanReader plans,
            @Nullable OrganisationRows rows,
            ShardBatch batch) {
        try {
            LoadedOrganisation resident = holdings.find(turn.org);
            if (resident == null) {
                OrganisationRows loaded = rows == null ? holdings.openTenure().load(turn.org) : rows;
                resident = holdings.restore(turn.org, loaded);
            }
            holdings.remember(turn.org, resident);
            turn.decide(resident, plans, holdings.now(), watchdog);
            mailbox.putBack(turn.leaveRest());
        } catch (JournalFailure.TooSlow e) {
            // The open transaction is over, and earlier decisions are lost with it. The other organisations are
            // retried.
            setAside(turn, batch, e);
            throw e;
        } catch (JournalFailure | BeforeFailed | StartInbox.InDoubt e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            batch.turns.remove(turn.org);
            failures.ruleFailed(turn, e);
        }
    }

    /** Quarantines an organisation that cannot be read; the others continue. */
    private void setAside(OrganisationBatch turn, ShardBatch batch, RuntimeException why) {
        batch.turns.remove(turn.org);
        failures.unreadable(turn, why);
    }
}
