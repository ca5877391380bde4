package dev.weir.postgres.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.Server;
import dev.weir.postgres.sql.Pool;
import dev.weir.testkit.journal.JournalContract;
import org.junit.jupiter.api.AfterEach;

/** The same with claims that share rows wherever they can, and get rows of their own as soon as they may. */
class SharedRowsJournalTest extends JournalContract {
    private final Pool pool = new Pool(Server.access(), "sheets", 1);
    private final Journal journal = new PostgresJournal(Server.access(), pool, new Plans(), new Sheets.Bounds(1, 8, 3));

    @Override
    protected Journal journal() {
        return journal;
    }

    @Override
    protected Records records() {
        return Server.postgres().records();
    }

    @Override
    protected String newOrganisation() {
        return Server.organisation();
    }

    @AfterEach
    void close() {
        pool.close();
    }
}
