package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.journal.Journal;
import dev.weir.engine.records.Records;
import dev.weir.postgres.PostgresDatabase;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.testkit.journal.JournalContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Runs the journal contract in a database whose owner is not a superuser, as with hosted ones. Rows are inserted there,
 * because COPY is not allowed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NonSuperuserJournalTest extends JournalContract {
    private final AtomicInteger organisations = new AtomicInteger();
    private EmbeddedPostgres embedded;
    private PostgresDatabase postgres;

    @BeforeAll
    void open() throws Exception {
        Path directory =
                Path.of("target", "test-owner-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        embedded = EmbeddedPostgres.open(directory.resolve("data"), EmbeddedSettings.DEFAULT);
        try (var connection = embedded.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create role somebody login createrole password 'secret'");
            statement.execute("create database theirs owner somebody");
        }
        String url = embedded.jdbcUrl().replace("/" + EmbeddedPostgres.DATABASE, "/theirs");
        postgres = PostgresDatabase.open(new DatabaseAddress(url, "somebody", "secret"));
    }

    @AfterAll
    void close() throws Exception {
        postgres.close();
        embedded.close();
    }

    @Test
    void rows_are_inserted_where_they_may_not_be_copied() {
        String org = newOrganisation();
        try (var ownership = (PostgresShardOwnership) journal().take(journal().shardOf(org), "owner")) {
            assertThat(ownership.canCopy).isFalse();
        }
    }

    @Override
    protected Journal journal() {
        return postgres.journal();
    }

    @Override
    protected Records records() {
        return postgres.records();
    }

    @Override
    protected String newOrganisation() {
        String name = "org-" + organisations.incrementAndGet();
        postgres.organisations().createOrganisation(name);
        return name;
    }
}
