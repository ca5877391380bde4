package dev.weir.postgres.journal;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.TestPostgres;
import dev.weir.testkit.journal.DeadLetterContract;

/** Runs the contract of dead letters on PostgreSQL. */
class PostgresDeadLettersTest extends DeadLetterContract {
    @Override
    protected Journal journal() {
        return TestPostgres.postgres().journal();
    }

    @Override
    protected Records records() {
        return TestPostgres.postgres().records();
    }

    @Override
    protected String newOrganisation() {
        return TestPostgres.createOrganisation();
    }
}
