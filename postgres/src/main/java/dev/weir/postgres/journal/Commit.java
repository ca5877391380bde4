package dev.weir.postgres.journal;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.postgres.sql.Failures;
import dev.weir.postgres.sql.Trips;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes and commits what was decided, and says what became of it. */
final class Commit {
    private final PostgresTenure tenure;
    private final PostgresDraft written;
    private final String during;

    Commit(PostgresTenure tenure, PostgresDraft written) {
        this.tenure = tenure;
        this.written = written;
        this.during = "writing what was decided for " + written.moves().keySet();
    }

    void run(Trips trips) {
        try {
            written.rows().commit(trips, tenure.mayList);
        } catch (SQLException e) {
            requireUncommitted(trips, e);
            if (Failures.UNIQUE_VIOLATION.equals(e.getSQLState())) {
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

    /** Once the server has been told to commit, whether it has is known by the next tenure only. */
    private void requireUncommitted(Trips trips, Exception failure) {
        if (trips.mayHaveCommitted()) {
            PostgresJournal.close(tenure.connection);
            throw new JournalFailure.Lost(
                    during + ": the outcome of the commit is unknown: " + failure.getMessage(), failure);
        }
    }

    private void refuseTaken() {
        Set<Writes.RunId> taken = tenure.takenIds(written);
        if (!taken.isEmpty()) {
            int org = taken.iterator().next().org();
            Set<String> ids = taken.stream()
                    .filter(run -> run.org() == org)
                    .map(Writes.RunId::id)
                    .collect(Collectors.toSet());
            throw new JournalFailure.RunsTaken(written.name(org), ids);
        }
    }
}
