package dev.weir.postgres.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.testkit.journal.JournalContract;
import org.junit.jupiter.api.AfterEach;

/**
 * Runs the journal contract with claims that share rows whenever possible, and get rows of their own as soon as
 * possible.
 */
class SharedRowsJournalTest extends JournalContract {
    private final ConnectionPool pool = new ConnectionPool(TestPostgres.address(), "pages", 1, ConnectionPool.WAIT_MAX);
    private final Journal journal = new PostgresJournal(
            TestPostgres.address(),
            pool,
            new OrganisationDirectory(pool),
            new PlanCache(),
            new ClaimPages.Bounds(1, 8, 3));

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected Records records() {
        return TestPostgres.postgres().records();
    }

    @Override
    protected String newOrganisation() {
        return TestPostgres.createOrganisation();
    }

    @AfterEach
    void close() {
        pool.close();
    }
}
