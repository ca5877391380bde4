package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.StartRun;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.Transaction;
import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.Inbox;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.organisations.OrganisationDirectory;
import dev.weir.postgres.sql.ConnectionPool;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests taking a shard from an owner that is working, paused, or disconnected in the middle of a commit. */
@Timeout(120)
@Tag("S7")
class ShardTakeoverTest {
    private final Journal journal = TestPostgres.postgres().journal();

    @Test
    void taking_waits_for_a_transaction_that_is_under_way_and_then_sees_its_rows() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(journal, org)) {
            int shard = journal.shardOf(org);
            try (Transaction transaction = harness.ownership.begin()) {
                harness.write(transaction, StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
                CompletableFuture<ShardOwnership> takeover =
                        CompletableFuture.supplyAsync(() -> journal.take(shard, "next"));
                awaitBlocked();
                assertThat(takeover).isNotDone();
                transaction.commit();
                try (ShardOwnership next = takeover.get(30, TimeUnit.SECONDS)) {
                    assertThat(next.load(org).runs()).extracting(RunRow::id).containsExactly("r");
                    assertThatThrownBy(harness.ownership::begin).isInstanceOf(JournalFailure.Fenced.class);
                }
            }
        }
    }

    @Test
    void an_owner_that_is_paused_in_a_transaction_is_ended_and_nothing_of_it_is_written() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(journal, org)) {
            try (Transaction transaction = harness.ownership.begin()) {
                harness.write(transaction, StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
                try (ShardOwnership next = journal.take(journal.shardOf(org), "next")) {
                    assertThatThrownBy(transaction::commit).isInstanceOf(JournalFailure.Lost.class);
                    assertThat(next.load(org).runs()).isEmpty();
                }
            }
            assertThatThrownBy(harness.ownership::begin).isInstanceOf(JournalFailure.Lost.class);
        }
    }

    @Test
    void a_commit_whose_answer_is_lost_is_known_to_the_next_owner() throws Exception {
        for (DisconnectingProxy.DisconnectPoint cut : DisconnectingProxy.DisconnectPoint.values()) {
            String org = TestPostgres.createOrganisation();
            try (var proxy = new DisconnectingProxy(TestPostgres.port());
                    var pool = new ConnectionPool(TestPostgres.address(), "test", 2, ConnectionPool.WAIT_MAX);
                    var harness = new OrganisationHarness(journal(proxy, pool), org)) {
                try (Transaction transaction = harness.ownership.begin()) {
                    harness.write(transaction, StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
                    proxy.disconnectAtCommit(cut);
                    assertThatThrownBy(transaction::commit).isInstanceOf(JournalFailure.Lost.class);
                    assertThat(proxy.hasDisconnected()).isTrue();
                }
                try (ShardOwnership next = journal.take(journal.shardOf(org), "next")) {
                    boolean written = cut == DisconnectingProxy.DisconnectPoint.BEFORE_CLIENT_RECEIVES_ANSWER;
                    assertThat(next.load(org).runs()).hasSize(written ? 1 : 0);
                }
            }
        }
    }

    @Test
    void a_transaction_that_cannot_be_stored_is_refused_and_the_ownership_continues() {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(journal, org)) {
            for (String id : new String[] {"a\0b", "half \uD83D", incompressible()}) {
                try (Transaction transaction = harness.ownership.begin()) {
                    harness.write(transaction, StartRun.of(id, harness.plan, OrganisationHarness.json("{}")));
                    assertThatThrownBy(transaction::commit).isInstanceOf(JournalFailure.Refused.class);
                }
                assertThat(harness.ownership.load(org).runs()).isEmpty();
            }
        }
    }

    @Test
    void an_organisation_that_cannot_be_read_in_time_is_reported_and_the_ownership_continues() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var other = TestPostgres.address().connect("other", Duration.ofSeconds(10));
                var harness = new OrganisationHarness(journal, org)) {
            cancelWhileReading(other, () -> harness.ownership.load(org));
            assertThat(harness.ownership.load(org).runs()).isEmpty();
            try (Transaction transaction = harness.ownership.begin()) {
                harness.write(transaction, StartRun.of("lost", harness.plan, OrganisationHarness.json("{}")));
                cancelWhileReading(other, () -> harness.ownership.load(org));
                assertThatThrownBy(transaction::commit)
                        .as("its transaction is over")
                        .isInstanceOf(IllegalStateException.class);
            }
            assertThat(harness.ownership.load(org).runs()).isEmpty();
        }
    }

    /** Cancels a read as the statement timeout would, while it waits for a lock. */
    private static void cancelWhileReading(java.sql.Connection other, Runnable read) throws SQLException {
        other.setAutoCommit(false);
        try (var statement = other.createStatement()) {
            statement.execute("lock table weir.pins in access exclusive mode");
            var reading = CompletableFuture.runAsync(read);
            await().until(() -> {
                try (var found = statement.executeQuery("select count(pg_cancel_backend(pid)) from pg_stat_activity"
                        + " where application_name = 'weir journal' and wait_event_type = 'Lock'")) {
                    found.next();
                    return found.getInt(1) > 0;
                }
            });
            assertThatThrownBy(() -> reading.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(JournalFailure.TooSlow.class);
        } finally {
            other.rollback();
        }
    }

    private String organisationOfOtherShard(String org) {
        String other = TestPostgres.createOrganisation();
        return journal.shardOf(other) == journal.shardOf(org) ? organisationOfOtherShard(org) : other;
    }

    @Test
    void starts_of_other_programs_are_taken_in_order_once_and_only_if_they_committed() throws Exception {
        String org = TestPostgres.createOrganisation();
        String other = organisationOfOtherShard(org);
        try (var program = TestPostgres.address().connect("program", Duration.ofSeconds(10));
                var harness = new OrganisationHarness(journal, org)) {
            program.setAutoCommit(false);
            leaveStart(program, org, "kept-1");
            leaveStart(program, org, "kept-2");
            leaveStart(program, other, "elsewhere");
            program.commit();
            leaveStart(program, org, "rolled back");
            program.rollback();
            assertThat(journal.shardsWithInbox()).contains(journal.shardOf(org));
            try (Transaction transaction = harness.ownership.begin()) {
                assertThat(transaction.takeInbox(10, Set.of(org))).isEmpty();
                assertThat(transaction.takeInbox(1, Set.of()))
                        .extracting(start -> start.request().run())
                        .containsExactly("kept-1");
            }
            try (Transaction transaction = harness.ownership.begin()) {
                assertThat(transaction.takeInbox(10, Set.of()))
                        .extracting(start -> start.request().run())
                        .containsExactly("kept-1", "kept-2");
                transaction.commit();
            }
            try (Transaction transaction = harness.ownership.begin()) {
                assertThat(transaction.takeInbox(10, Set.of())).isEmpty();
            }
        }
        try (ShardOwnership ownership = journal.take(journal.shardOf(other), "elsewhere");
                Transaction transaction = ownership.begin()) {
            assertThat(transaction.takeInbox(10, Set.of())).hasSize(1);
            transaction.commit();
        }
    }

    @Test
    void inbox_starts_are_taken_with_their_author_and_unreadable_ones_are_marked() throws Exception {
        String org = TestPostgres.createOrganisation();
        List<String> unreadable = List.of(
                "1",
                "{}",
                "{\"run\": 1, \"workflow\": \"one\", \"input\": {}}",
                "{\"run\": \"r\", \"workflow\": \"one\"}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": " + "[".repeat(70) + "]".repeat(70) + "}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": " + "[".repeat(5_000) + "]".repeat(5_000) + "}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": {\"a\": 1, \"a\": 2}}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": {}, \"priority\": \"high\"}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": {}, \"labels\": [1]}",
                "{\"run\": \"r\", \"workflow\": \"one\", \"input\": {}, \"flow_control\": 7}");
        try (var program = TestPostgres.address().connect("program", Duration.ofSeconds(10));
                var harness = new OrganisationHarness(journal, org)) {
            for (String request : unreadable) {
                leaveText(program, org, request);
            }
            leaveStart(program, org, "well");
            try (Transaction transaction = harness.ownership.begin()) {
                var taken = transaction.takeInbox(100, Set.of());
                assertThat(taken).hasSize(unreadable.size() + 1);
                assertThat(taken).allMatch(start -> start.org().equals(org));
                assertThat(taken)
                        .extracting(InboxStart::by)
                        .containsOnly(TestPostgres.address().user());
                assertThat(taken.getLast().request().run()).isEqualTo("well");
                assertThat(taken.getLast().unreadable()).isNull();
                for (int i = 0; i < unreadable.size(); i++) {
                    assertThat(taken.get(i).unreadable()).as(unreadable.get(i)).contains("expected");
                }
                transaction.commit();
            }
        }
    }

    @Test
    void the_size_of_an_inbox_start_and_of_each_take_is_bounded() throws Exception {
        String org = TestPostgres.createOrganisation();
        String start = "{\"run\": \"r\", \"workflow\": \"one\", \"input\": \"%s\"}";
        try (var program = TestPostgres.address().connect("program", Duration.ofSeconds(10));
                var harness = new OrganisationHarness(journal, org)) {
            assertThatThrownBy(() -> leaveText(program, org, start.formatted("x".repeat(1 << 20))))
                    .hasMessageContaining("request_bytes");
            String large = start.formatted("x".repeat(1_000_000));
            for (int i = 0; i < 12; i++) {
                leaveText(program, org, large);
            }
            List<Integer> taken = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                try (Transaction transaction = harness.ownership.begin()) {
                    taken.add(transaction.takeInbox(100, Set.of()).size());
                    transaction.commit();
                }
            }
            assertThat(taken).containsExactly(8, 4, 0);
        }
    }

    private static void leaveText(java.sql.Connection program, String org, String request) throws SQLException {
        try (var statement = program.prepareStatement("""
                insert into weir.inbox (org, request) select number, ?::json from weir.organisations where name = ?
                """)) {
            statement.setString(1, request);
            statement.setString(2, org);
            statement.executeUpdate();
        }
    }

    @Test
    void the_runs_that_ended_last_are_remembered_in_the_order_in_which_they_ended() {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(journal, org)) {
            for (String run : new String[] {"r1", "r2", "r3"}) {
                harness.commit(StartRun.of(run, harness.plan, OrganisationHarness.json("{}")));
            }
            for (var claim : harness.claim(3).reversed()) {
                harness.commit(harness.completion(claim, "1"));
            }
            assertThat(harness.ownership.load(org).endedRuns())
                    .extracting(EndedRun::run)
                    .containsExactly("r3", "r2", "r1");
            assertThat(harness.ownership.load(org).endedRuns())
                    .isEqualTo(harness.memory.rows().endedRuns());
        }
    }

    @Test
    void of_very_many_reports_of_a_run_the_last_are_remembered() throws Exception {
        String org = TestPostgres.createOrganisation();
        int more = EndedRun.UNITS_MAX + 50;
        String many = """
                workflow: many
                steps: [{id: a, with_items: [1, 2, 3], uses: m}]
                """;
        try (var harness = new OrganisationHarness(journal, org, many)) {
            harness.commit(StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
            for (var claim : harness.claim(3)) {
                harness.commit(harness.completion(claim, "1"));
            }
            try (var person = TestPostgres.address().connect("person", Duration.ofSeconds(30));
                    var statement = person.prepareStatement("""
                            insert into weir.step_history
                                (run, fence, since, ended_at, org, item, attempts, report_hash, step, state)
                            select runs.number, 1, runs.ended_at, runs.ended_at, runs.org, item, 1, item, 0, 'c'
                            from weir.run_history runs join weir.organisations on organisations.number = runs.org,
                                 generate_series(3, ?) as item
                            where organisations.name = ?
                            """)) {
                statement.setInt(1, more);
                statement.setString(2, org);
                assertThat(statement.executeUpdate()).isEqualTo(more - 2);
            }
            EndedRun loaded = harness.ownership.load(org).endedRuns().getFirst();
            assertThat(loaded.reports()).hasSize(EndedRun.UNITS_MAX).containsKey(new UnitId("r", "a", more));
            assertThat(loaded.reports()).doesNotContainKey(new UnitId("r", "a", 10));
            assertThat(harness.ownership.findEndedRuns(org, Set.of("r"))).containsExactly(loaded);
        }
    }

    /** Returns a text that is longer than an index entry may be, even compressed. */
    private static String incompressible() {
        var text = new StringBuilder();
        new Random(1).ints(10_000, 'a', 'z').forEach(text::appendCodePoint);
        return text.toString();
    }

    private static void leaveStart(java.sql.Connection program, String org, String run) throws SQLException {
        Inbox.startIn(program, org, StartRequest.of(run, "one", OrganisationHarness.json("{\"n\": 1}")));
    }

    private static void awaitBlocked() throws SQLException {
        try (var connection = TestPostgres.address().connect("watching", Duration.ofSeconds(10));
                var statement = connection.prepareStatement("""
                        select count(*) from pg_stat_activity
                        where application_name = ? and wait_event_type = 'Lock'
                        """)) {
            statement.setString(1, WriterConnections.APPLICATION);
            await().until(() -> {
                try (var waiting = statement.executeQuery()) {
                    waiting.next();
                    return waiting.getInt(1) == 1;
                }
            });
        }
    }

    private static PostgresJournal journal(DisconnectingProxy proxy, ConnectionPool pool) {
        return new PostgresJournal(
                proxy.address(TestPostgres.address()), pool, new OrganisationDirectory(pool), new PlanCache());
    }
}
