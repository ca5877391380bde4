package dev.weir.postgres.records;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.TestPostgres;
import dev.weir.testkit.journal.LogStoreContract;

class PostgresLogStoreTest extends LogStoreContract {
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
