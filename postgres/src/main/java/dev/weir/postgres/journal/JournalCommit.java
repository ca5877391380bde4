package dev.weir.postgres.journal;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.postgres.sql.PipelinedTransaction;
import dev.weir.postgres.sql.SqlFailures;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes and commits a batch, and reports the outcome: committed, refused, or unknown. */
final class JournalCommit {
    private final PostgresShardOwnership tenure;
    private final PostgresPreparedWrites written;
    private final String during;

    JournalCommit(PostgresShardOwnership tenure, PostgresPreparedWrites written) {
        this.tenure = tenure;
        this.written = written;
        this.during = "committing a batch of " + written.moves().keySet();
    }

    void run(PipelinedTransaction trips) {
        try {
            written.rows().commit(trips, tenure.mayList);
        } catch (SQLException e) {
            requireUncommitted(trips, e);
            if (SqlFailures.UNIQUE_VIOLATION.equals(e.getSQLState())) {
                tenure.rollBack();
                refuseTaken();
            }
            throw tenure.failed(during, e);
        } catch (JournalFailure e) {
            tenure.rollBack();
            throw e;
        } catch (RuntimeException e) {
            requireUncommitted(trips, e);
            tenure.rollBack();
            throw new JournalFailure.Refused(during + ": " + e.getMessage(), e);
        }
        written.committed();
        written.moves().values().forEach(all -> all.forEach(move -> tenure.atLeast(move.at())));
    }

    /** Throws {@code Lost} if COMMIT was sent. Only the next shard ownership can tell whether it succeeded. */
    private void requireUncommitted(PipelinedTransaction trips, Exception failure) {
        if (trips.mayHaveCommitted()) {
            PostgresJournal.close(tenure.connection);
            throw new JournalFailure.Lost(
                    during + ": the outcome of the commit is unknown: " + failure.getMessage(), failure);
        }
    }

    private void refuseTaken() {
        Set<RowWrites.RunId> taken = tenure.takenIds(written);
        if (!taken.isEmpty()) {
            int org = taken.iterator().next().org();
            Set<String> ids = taken.stream()
                    .filter(run -> run.org() == org)
                    .map(RowWrites.RunId::id)
                    .collect(Collectors.toSet());
            throw new JournalFailure.RunsTaken(written.name(org), ids);
        }
    }
}
