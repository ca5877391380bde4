package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
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
    private static final int MOST = 500;
    private static final int FEW = 10;

    private final Journal journal = Server.postgres().journal();
    private final String large = Server.organisation();
    private final String small = neighbour();
    private Connection person;

    /** The rows that a statement read and sorted, according to its plan. */
    private record Effort(long read, long sorted) {}

    @BeforeEach
    void look_at_an_inbox_that_the_planner_believes_to_be_empty() throws SQLException {
        person = Server.access().connect("person", Duration.ofSeconds(60));
        execute("delete from weir.inbox");
        execute("vacuum analyze weir.inbox");
        execute("set role weir_engine");
    }

    @AfterEach
    void leave_nothing() throws SQLException {
        execute("reset role; delete from weir.inbox; vacuum analyze weir.inbox");
        person.close();
    }

    @Test
    void the_few_of_another_organisation_are_taken_with_the_first() throws Exception {
        leave(large, 100_000);
        leave(small, FEW);
        assertThat(journal.inboxes()).containsExactly(journal.shardOf(large));
        try (ShardOwnership tenure = journal.take(journal.shardOf(large), "owner");
                Transaction entry = tenure.begin()) {
            List<InboxStart> taken = entry.takeInbox(MOST, Set.of());
            assertThat(runs(taken, small)).hasSize(FEW).startsWith("r1", "r2").endsWith("r10");
            assertThat(runs(taken, large))
                    .hasSize(MOST - FEW)
                    .startsWith("r1", "r2")
                    .endsWith("r490");
            entry.commit();
        }
        try (ShardOwnership tenure = journal.take(journal.shardOf(large), "owner");
                Transaction entry = tenure.begin()) {
            assertThat(runs(entry.takeInbox(MOST, Set.of()), large))
                    .hasSize(MOST)
                    .startsWith("r491");
        }
    }

    @Test
    void what_is_read_does_not_grow_with_what_is_left() throws Exception {
        try (var owner = WriterConnections.open(Server.access())) {
            String taking = prepared(owner, "taking", PostgresShardOwnership.SQL.get("take_inbox"))
                    + "(%d, %d, '{}', %d, %d)".formatted(MOST, journal.shardOf(large), MOST, 8 << 20);
            effort(owner, taking);
            leave(large, 1_000);
            leave(small, FEW);
            Effort little = effort(owner, taking);
            leave(large, 99_000);
            Effort much = effort(owner, taking);
            assertThat(much.read())
                    .as("rows read of 100,010, beside %s", little)
                    .isLessThan(little.read() + MOST);
            assertThat(much.read()).isLessThan(5 * MOST);
            assertThat(much.sorted()).as("rows sorted").isLessThan(5 * MOST);
            execute("reset role; vacuum analyze weir.inbox; set role weir_engine");
            assertThat(effort(owner, taking).read())
                    .as("once the planner knows")
                    .isLessThan(5 * MOST);
        }
    }

    @Test
    void to_see_who_has_left_starts_only_the_index_is_looked_at() throws Exception {
        int times = 20;
        for (int i = 0; i < times; i++) {
            assertThat(journal.inboxes()).isEmpty();
        }
        long read = counted("seq_tup_read");
        leave(large, 100_000);
        leave(small, FEW);
        long looked = counted("idx_scan");
        for (int i = 0; i < times; i++) {
            assertThat(journal.inboxes()).containsExactly(journal.shardOf(large));
        }
        // The server updates its counters within some seconds. With two organisations, each query makes three index
        // scans.
        await().atMost(Duration.ofSeconds(40)).until(() -> counted("idx_scan") >= looked + 3L * times);
        assertThat(counted("seq_tup_read")).isEqualTo(read);
    }

    private long counted(String what) throws SQLException {
        try (var statement = person.createStatement();
                var found = statement.executeQuery(
                        "select " + what + " from pg_stat_user_tables where relid = 'weir.inbox'::regclass")) {
            found.next();
            return found.getLong(1);
        }
    }

    /** Prepares a statement with a plan that the server keeps, whatever rows are inserted later. */
    private static String prepared(Connection owner, String name, String sql) throws SQLException {
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
    private static Effort effort(Connection owner, String explained) throws SQLException {
        try (var statement = owner.createStatement();
                var plan = statement.executeQuery(explained)) {
            plan.next();
            return sum(Worlds.json(plan.getString(1)).get(0).get("Plan"));
        } finally {
            owner.rollback();
        }
    }

    private static Effort sum(JsonNode node) {
        String type = node.get("Node Type").asString();
        double rows = (node.get("Actual Rows").asDouble()
                        + node.path("Rows Removed by Filter").asDouble(0))
                * node.get("Actual Loops").asDouble();
        boolean scan =
                type.contains("Scan") && node.path("Relation Name").asString("").equals("inbox");
        long read = scan ? Math.round(rows) : 0;
        long sorted = 0;
        for (JsonNode child : node.path("Plans")) {
            Effort below = sum(child);
            read += below.read;
            sorted += below.sorted;
            if (type.contains("Sort")) {
                sorted += Math.round(child.get("Actual Rows").asDouble()
                        * child.get("Actual Loops").asDouble());
            }
        }
        return new Effort(read, sorted);
    }

    private void leave(String org, int starts) throws SQLException {
        try (var statement = person.prepareStatement("""
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

    private String neighbour() {
        String found = Server.organisation();
        while (journal.shardOf(found) != journal.shardOf(large)) {
            found = Server.organisation();
        }
        return found;
    }

    private void execute(String sql) throws SQLException {
        try (var statement = person.createStatement()) {
            for (String each : sql.split("; ", -1)) {
                statement.execute(each);
            }
        }
    }
}
