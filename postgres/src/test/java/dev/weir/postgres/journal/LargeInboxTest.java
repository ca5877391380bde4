package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tests an inbox in which one organisation has left very many starts, and another one of its shard a few. */
@Timeout(120)
@Tag("L6")
class LargeInboxTest {
    private static final int TAKE_MAX = 500;
    private static final int SMALL_COUNT = 10;

    private final Journal journal = TestPostgres.postgres().journal();
    private final String large = TestPostgres.createOrganisation();
    private final String small = organisationOfSameShard();
    private Connection admin;

    /** The rows that a statement read and sorted, according to its plan. */
    private record QueryCost(long read, long sorted) {}

    @BeforeEach
    void empty_and_analyze_the_inbox() throws SQLException {
        admin = TestPostgres.address().connect("person", Duration.ofSeconds(60));
        execute("delete from weir.inbox");
        execute("vacuum analyze weir.inbox");
        execute("set role weir_engine");
    }

    @AfterEach
    void empty_the_inbox() throws SQLException {
        execute("reset role; delete from weir.inbox; vacuum analyze weir.inbox");
        admin.close();
    }

    @Test
    void a_small_organisation_is_served_with_the_first_take() throws Exception {
        leaveStarts(large, 100_000);
        leaveStarts(small, SMALL_COUNT);
        assertThat(journal.shardsWithInbox()).containsExactly(journal.shardOf(large));
        try (ShardOwnership ownership = journal.take(journal.shardOf(large), "owner");
                Transaction transaction = ownership.begin()) {
            List<InboxStart> taken = transaction.takeInbox(TAKE_MAX, Set.of());
            assertThat(runs(taken, small))
                    .hasSize(SMALL_COUNT)
                    .startsWith("r1", "r2")
                    .endsWith("r10");
            assertThat(runs(taken, large))
                    .hasSize(TAKE_MAX - SMALL_COUNT)
                    .startsWith("r1", "r2")
                    .endsWith("r490");
            transaction.commit();
        }
        try (ShardOwnership ownership = journal.take(journal.shardOf(large), "owner");
                Transaction transaction = ownership.begin()) {
            assertThat(runs(transaction.takeInbox(TAKE_MAX, Set.of()), large))
                    .hasSize(TAKE_MAX)
                    .startsWith("r491");
        }
    }

    @Test
    void the_rows_read_by_a_take_do_not_grow_with_the_size_of_the_inbox() throws Exception {
        try (var owner = WriterConnections.open(TestPostgres.address())) {
            String takeStatement = prepare(owner, "taking", PostgresShardOwnership.SQL.get("take_inbox"))
                    + "(%d, %d, '{}', %d, %d)".formatted(TAKE_MAX, journal.shardOf(large), TAKE_MAX, 8 << 20);
            measureCost(owner, takeStatement);
            leaveStarts(large, 1_000);
            leaveStarts(small, SMALL_COUNT);
            QueryCost smallCost = measureCost(owner, takeStatement);
            leaveStarts(large, 99_000);
            QueryCost largeCost = measureCost(owner, takeStatement);
            assertThat(largeCost.read())
                    .as("rows read of 100,010, compared to %s", smallCost)
                    .isLessThan(smallCost.read() + TAKE_MAX);
            assertThat(largeCost.read()).isLessThan(5 * TAKE_MAX);
            assertThat(largeCost.sorted()).as("rows sorted").isLessThan(5 * TAKE_MAX);
            execute("reset role; vacuum analyze weir.inbox; set role weir_engine");
            assertThat(measureCost(owner, takeStatement).read())
                    .as("once the planner has statistics")
                    .isLessThan(5 * TAKE_MAX);
        }
    }

    @Test
    void finding_shards_with_starts_reads_the_index_only() throws Exception {
        int times = 20;
        for (int i = 0; i < times; i++) {
            assertThat(journal.shardsWithInbox()).isEmpty();
        }
        long read = readCounter("seq_tup_read");
        leaveStarts(large, 100_000);
        leaveStarts(small, SMALL_COUNT);
        long scansBefore = readCounter("idx_scan");
        for (int i = 0; i < times; i++) {
            assertThat(journal.shardsWithInbox()).containsExactly(journal.shardOf(large));
        }
        // The server updates its counters within some seconds. With two organisations, each query makes three index
        // scans.
        await().atMost(Duration.ofSeconds(40)).until(() -> readCounter("idx_scan") >= scansBefore + 3L * times);
        assertThat(readCounter("seq_tup_read")).isEqualTo(read);
    }

    private long readCounter(String what) throws SQLException {
        try (var statement = admin.createStatement();
                var found = statement.executeQuery(
                        "select " + what + " from pg_stat_user_tables where relid = 'weir.inbox'::regclass")) {
            found.next();
            return found.getLong(1);
        }
    }

    /** Prepares a statement with a plan that the server keeps, whatever rows are inserted later. */
    private static String prepare(Connection owner, String name, String sql) throws SQLException {
        var numbered = new StringBuilder();
        int number = 0;
        for (String part : sql.split("\\?", -1)) {
            numbered.append(number == 0 ? "" : "$" + number).append(part);
            number++;
        }
        try (var statement = owner.createStatement()) {
            statement.execute("prepare " + name + " as " + numbered);
        }
        owner.commit();
        return "explain (analyze, format json) execute " + name;
    }

    /** Measures the cost of a statement, and rolls it back. */
    private static QueryCost measureCost(Connection owner, String explained) throws SQLException {
        try (var statement = owner.createStatement();
                var plan = statement.executeQuery(explained)) {
            plan.next();
            return sum(OrganisationHarness.json(plan.getString(1)).get(0).get("Plan"));
        } finally {
            owner.rollback();
        }
    }

    private static QueryCost sum(JsonNode node) {
        String type = node.get("Node Type").asString();
        double rows = (node.get("Actual Rows").asDouble()
                        + node.path("Rows Removed by Filter").asDouble(0))
                * node.get("Actual Loops").asDouble();
        boolean scan =
                type.contains("Scan") && node.path("Relation Name").asString("").equals("inbox");
        long read = scan ? Math.round(rows) : 0;
        long sorted = 0;
        for (JsonNode child : node.path("Plans")) {
            QueryCost below = sum(child);
            read += below.read;
            sorted += below.sorted;
            if (type.contains("Sort")) {
                sorted += Math.round(child.get("Actual Rows").asDouble()
                        * child.get("Actual Loops").asDouble());
            }
        }
        return new QueryCost(read, sorted);
    }

    private void leaveStarts(String org, int starts) throws SQLException {
        try (var statement = admin.prepareStatement("""
                insert into weir.inbox (org, request)
                select number, json_build_object('run', 'r' || i, 'workflow', 'one', 'input', json_build_object())
                from weir.organisations, generate_series(1, ?) as i where name = ? order by i""")) {
            statement.setInt(1, starts);
            statement.setString(2, org);
            assertThat(statement.executeUpdate()).isEqualTo(starts);
        }
    }

    private static List<String> runs(List<InboxStart> taken, String org) {
        List<String> runs = new ArrayList<>();
        for (InboxStart start : taken) {
            if (start.org().equals(org)) {
                runs.add(start.request().run());
            }
        }
        return runs;
    }

    private String organisationOfSameShard() {
        String found = TestPostgres.createOrganisation();
        while (journal.shardOf(found) != journal.shardOf(large)) {
            found = TestPostgres.createOrganisation();
        }
        return found;
    }

    private void execute(String sql) throws SQLException {
        try (var statement = admin.createStatement()) {
            for (String each : sql.split("; ", -1)) {
                statement.execute(each);
            }
        }
    }
}
