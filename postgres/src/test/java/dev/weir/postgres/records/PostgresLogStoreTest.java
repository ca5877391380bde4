package dev.weir.postgres.records;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.Server;
import dev.weir.testkit.journal.LogStoreContract;

class PostgresLogStoreTest extends LogStoreContract {
    @Override
    protected Journal journal() {
        return Server.postgres().journal();
    }

    @Override
    protected Records records() {
        return Server.postgres().records();
    }

    @Override
    protected String newOrganisation() {
        return Server.organisation();
    }
}
