package dev.weir.postgres.journal;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.postgres.sql.PipelinedTransaction;
import dev.weir.postgres.sql.SqlFailures;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes and commits a batch, and reports the outcome: committed, refused, or unknown. */
final class JournalCommit {
    private final PostgresShardOwnership ownership;
    private final PostgresPreparedWrites writes;
    private final String operation;

    JournalCommit(PostgresShardOwnership ownership, PostgresPreparedWrites writes) {
        this.ownership = ownership;
        this.writes = writes;
        this.operation = "committing a batch of " + writes.moves().keySet();
    }

    void run(PipelinedTransaction transaction) {
        try {
            writes.rows().commit(transaction, ownership.canDeleteByList);
        } catch (SQLException e) {
            requireUncommitted(transaction, e);
            if (SqlFailures.UNIQUE_VIOLATION.equals(e.getSQLState())) {
                ownership.rollBack();
                refuseTakenIds();
            }
            throw ownership.abort(operation, e);
        } catch (JournalFailure e) {
            ownership.rollBack();
            throw e;
        } catch (RuntimeException e) {
            requireUncommitted(transaction, e);
            ownership.rollBack();
            throw new JournalFailure.Refused(operation + ": " + e.getMessage(), e);
        }
        writes.markCommitted();
        writes.moves().values().forEach(all -> all.forEach(move -> ownership.advanceClock(move.at())));
    }

    /** Throws {@code Lost} if COMMIT was sent. Only the next shard ownership can tell whether it succeeded. */
    private void requireUncommitted(PipelinedTransaction transaction, Exception failure) {
        if (transaction.mayHaveCommitted()) {
            PostgresJournal.close(ownership.connection);
            throw new JournalFailure.Lost(
                    operation + ": the outcome of the commit is unknown: " + failure.getMessage(), failure);
        }
    }

    private void refuseTakenIds() {
        Set<RowWrites.RunId> taken = ownership.takenIds(writes);
        if (!taken.isEmpty()) {
            int org = taken.iterator().next().org();
            Set<String> ids = taken.stream()
                    .filter(run -> run.org() == org)
                    .map(RowWrites.RunId::id)
                    .collect(Collectors.toSet());
            throw new JournalFailure.RunIdsInUse(writes.organisationName(org), ids);
        }
    }
}
