package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.StartRun;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Measures the WAL written for the whole life of a run of one step. It counts bytes and times nothing. */
@Timeout(120)
class WalTest {
    private static final int BATCH = 250;
    private static final int ROUNDS = 8;
    private static final String PAYLOAD = "{\"text\":\"" + "x".repeat(189) + "\"}";

    /** The most bytes per run. The bound reveals a wider row or another index. */
    private static final long BYTES_MAX = 2_100;

    @Test
    void the_life_of_a_run_of_one_step_costs_few_bytes_of_the_log() throws Exception {
        assertThat(PAYLOAD).hasSize(200);
        try (var harness =
                        new OrganisationHarness(TestPostgres.postgres().journal(), TestPostgres.createOrganisation());
                var watch = TestPostgres.address().connect("wal", Duration.ofSeconds(30))) {
            round(harness, 0);
            long before = position(watch);
            long pages = pages(watch);
            for (int round = 1; round <= ROUNDS; round++) {
                round(harness, round);
            }
            long perRun = (position(watch) - before) / (ROUNDS * BATCH);
            System.out.println(
                    "WAL bytes of a run of one step: " + perRun + ", whole pages: " + (pages(watch) - pages));
            assertThat(perRun).as("bytes of WAL per run of one step").isLessThan(BYTES_MAX);
            assertThat(harness.ownership.load(harness.org).runs()).isEmpty();
        }
    }

    private static void round(OrganisationHarness harness, int round) {
        try (Transaction transaction = harness.ownership.begin()) {
            for (int i = 0; i < BATCH; i++) {
                harness.write(
                        transaction,
                        StartRun.of("run-" + round + "-" + i, harness.plan, OrganisationHarness.json(PAYLOAD)));
            }
            transaction.commit();
        }
        List<Assignment> claims = harness.claim(BATCH);
        assertThat(claims).hasSize(BATCH);
        try (Transaction transaction = harness.ownership.begin()) {
            claims.forEach(claim -> harness.write(transaction, harness.completion(claim, PAYLOAD)));
            transaction.commit();
        }
    }

    private static long position(Connection connection) throws SQLException {
        return number(connection, "select pg_current_wal_insert_lsn() - '0/0'");
    }

    /** Returns the number of pages written whole because they had not been changed since the last checkpoint. */
    private static long pages(Connection connection) throws SQLException {
        return number(connection, "select wal_fpi from pg_stat_wal");
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            found.next();
            return found.getLong(1);
        }
    }
}
