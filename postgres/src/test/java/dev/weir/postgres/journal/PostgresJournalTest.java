package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.Server;
import dev.weir.testkit.journal.JournalContract;
import org.junit.jupiter.api.Test;

class PostgresJournalTest extends JournalContract {
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

    @Test
    void new_rows_are_copied_in_where_that_is_allowed() {
        String org = newOrganisation();
        try (var tenure = (PostgresShardOwnership) journal().take(journal().shardOf(org), "owner")) {
            assertThat(tenure.mayCopy).isTrue();
        }
    }
}
