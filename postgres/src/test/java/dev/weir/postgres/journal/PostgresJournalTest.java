package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.TestPostgres;
import dev.weir.testkit.journal.JournalContract;
import org.junit.jupiter.api.Test;

class PostgresJournalTest extends JournalContract {
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

    @Test
    void new_rows_are_copied_in_where_that_is_allowed() {
        String org = newOrganisation();
        try (var ownership = (PostgresShardOwnership) journal().take(journal().shardOf(org), "owner")) {
            assertThat(ownership.canCopy).isTrue();
        }
    }
}
