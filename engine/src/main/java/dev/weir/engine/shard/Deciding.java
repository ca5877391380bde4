package dev.weir.engine.shard;

import dev.weir.core.life.Rows;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides the turns of a batch one by one. A turn that fails leaves its batch, and the others go on. */
final class Deciding {
    private final Holdings holdings;
    private final Failures failures;

    Deciding(Holdings holdings, Failures failures) {
        this.holdings = holdings;
        this.failures = failures;
    }

    /** The batch before was not written, so what was decided after it means nothing. */
    static final class BeforeFailed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Reads what is not in memory: an organisation, or what history says of runs that it has forgotten. */
    void read(Turn turn, Tenure tenure, Map<String, Rows> rows, Batch batch) {
        try {
            if (holdings.find(turn.org) == null) {
                rows.put(turn.org, tenure.load(turn.org));
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
        } catch (JournalFailure.TooSlow e) {
            setAside(turn, batch, e);
        } catch (JournalFailure e) {
            throw e;
        } catch (RuntimeException e) {
            setAside(turn, batch, e);
        }
    }

    /** Decides one turn by the time that the holdings have; the rows are those that were read for it, if any were. */
    void decide(Turn turn, Turn.PlanReader plans, @Nullable Rows rows, Batch batch) {
        try {
            Resident resident = holdings.find(turn.org);
            if (resident == null) {
                Rows loaded = rows == null ? holdings.openTenure().load(turn.org) : rows;
                resident = holdings.restore(turn.org, loaded);
            }
            holdings.remember(turn.org, resident);
            turn.decide(resident, plans, holdings.now());
        } catch (JournalFailure.TooSlow e) {
            // The transaction that was open is over, and with it what was decided before: others are tried again.
            setAside(turn, batch, e);
            throw e;
        } catch (JournalFailure | BeforeFailed e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            batch.turns.remove(turn.org);
            failures.ruleFailed(turn, e);
        }
    }

    /** One organisation cannot be read: it is left alone, and the others go on. */
    private void setAside(Turn turn, Batch batch, RuntimeException why) {
        batch.turns.remove(turn.org);
        failures.unreadable(turn, why);
    }
}
