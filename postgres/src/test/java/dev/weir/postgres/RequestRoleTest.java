package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.AuditFilter;
import dev.weir.engine.records.AuditStore;
import dev.weir.engine.records.BulkStore;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.records.EventFilter;
import dev.weir.engine.records.EventStore;
import dev.weir.engine.records.NoticeFilter;
import dev.weir.engine.records.NoticeStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.DatabaseAddress;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that requests read under row-level security. The role of the engine, which sees every organisation, may read
 * nothing in this database, so that a read under it fails.
 */
@Tag("R4.9")
@Tag("S9")
class RequestRoleTest {
    private static final int FIXTURE_VERSION = 3;
    private static final String ORG = "north";
    private static final PageRequest PAGE = new PageRequest("", 10);

    /** Methods that write, or that return a part of the interface without a query. */
    private static final Set<String> NO_READS = Set.of(
            "append",
            "create",
            "save",
            "release",
            "takeAbandoned",
            "changeQuota",
            "createReader",
            "accounts",
            "bulk",
            "logs",
            "audit",
            "retention");

    /** Reads as the engine because the role of requests must not see tokens; the statement names the organisation. */
    private static final Set<String> READS_AS_ENGINE = Set.of("lastTokenUses");

    private static final Map<String, Consumer<Reads>> READS = Map.ofEntries(
            Map.entry("findRun", reads -> reads.records.findRun(ORG, reads.run)),
            Map.entry("runs", reads -> reads.records.runs(ORG, RunFilter.all(), PAGE)),
            Map.entry("steps", reads -> reads.records.steps(ORG, reads.run)),
            Map.entry("findStep", reads -> reads.records.findStep(ORG, UnitId.of(reads.run, reads.step))),
            Map.entry("items", reads -> reads.records.items(ORG, reads.run, reads.step, PAGE)),
            Map.entry("lastItem", reads -> reads.records.lastItem(ORG, reads.run, reads.step)),
            Map.entry("criticalPath", reads -> reads.records.criticalPath(ORG, reads.run)),
            Map.entry("workflows", reads -> reads.records.workflows(ORG, PAGE)),
            Map.entry("findWorkflow", reads -> reads.records.findWorkflow(ORG, reads.workflow, null)),
            Map.entry("refusedStarts", reads -> reads.records.refusedStarts(ORG, PAGE)),
            Map.entry("deadLetters", reads -> reads.records.deadLetters().deadLetters(ORG, DeadLetterFilter.ALL, PAGE)),
            Map.entry("findDeadLetter", reads -> reads.records.deadLetters().findDeadLetter(ORG, 1)),
            Map.entry("loggedAttempts", reads -> reads.records.loggedAttempts(ORG, "k", PAGE)),
            Map.entry("events", reads -> reads.records.events().events(ORG, EventFilter.all(), PAGE)),
            Map.entry("findEvent", reads -> reads.records.events().findEvent(ORG, "none")),
            Map.entry("notices", reads -> reads.records.notices().notices(ORG, NoticeFilter.ALL, PAGE)),
            Map.entry("counts", reads -> reads.records.accounts().counts(ORG)),
            Map.entry("quota", reads -> reads.records.accounts().quota(ORG)),
            Map.entry("hasKey", reads -> reads.records.hasKey(ORG, reads.run, "k")),
            Map.entry("find", reads -> reads.records.bulk().find(ORG, "none")),
            Map.entry("countUnfinished", reads -> reads.records.bulk().countUnfinished(ORG)),
            Map.entry("read", reads -> reads.records.logs().read(ORG, UnitId.of(reads.run, reads.step), null, "")),
            Map.entry("newest", reads -> reads.records.audit().newest(ORG, List.of("pin_key"), List.of("k"))),
            Map.entry("entries", reads -> reads.records.audit().entries(ORG, AuditFilter.ALL, PAGE)),
            Map.entry("chain", reads -> reads.records.audit().chain(ORG, 0, 10)));

    private static PostgresDatabase database;
    private static DatabaseAddress address;
    private static Reads reads;

    /** The records of the database, and names that exist in it. */
    private record Reads(Records records, String run, String step, String workflow) {}

    @BeforeAll
    static void open() throws Exception {
        address = StoreFixture.load("request_role", FIXTURE_VERSION);
        database = PostgresDatabase.open(address);
        Records records = database.records();
        var run = records.runs(ORG, RunFilter.all(), PAGE).entries().getFirst();
        reads = new Reads(
                records,
                run.run(),
                records.steps(ORG, run.run()).getFirst().unit().step(),
                run.workflow());
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("revoke select on all tables in schema weir from weir_engine");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static Connection connect() throws SQLException {
        return address.connect("request role", Duration.ofSeconds(30));
    }

    @Test
    void every_read_of_a_request_runs_as_the_role_that_sees_one_organisation() {
        READS.forEach((name, read) -> {
            if (!READS_AS_ENGINE.contains(name)) {
                read.accept(reads);
            }
        });
        assertThatThrownBy(() -> reads.records.lastTokenUses(ORG))
                .as("a read as the engine, to prove that it would be noticed")
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("permission denied");
    }

    @Test
    void every_method_of_the_stores_that_serve_requests_is_known() {
        Set<String> methods = Stream.of(
                        Records.class,
                        BulkStore.class,
                        LogStore.class,
                        AuditStore.class,
                        DeadLetterStore.class,
                        EventStore.class,
                        NoticeStore.class,
                        AccountStore.class)
                .flatMap(each -> Arrays.stream(each.getMethods()))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = new TreeSet<>(READS.keySet());
        known.addAll(NO_READS);
        known.addAll(READS_AS_ENGINE);
        assertThat(methods)
                .as("a new method that reads for a request belongs in READS, as the role of requests")
                .isEqualTo(known);
    }

    @Test
    void the_organisation_of_a_transaction_does_not_leak_to_the_next_one_of_its_connection() {
        try (var pool = new ConnectionPool(address, "leak", 1, Duration.ofSeconds(10))) {
            List<String> seen = new ArrayList<>();
            for (int org : List.of(1, 2)) {
                seen.add(pool.runAsRequest("reading", org, connection -> setting(connection)));
                assertThatThrownBy(() -> pool.runAsRequest("failing", org, connection -> {
                            throw new SQLException("planted");
                        }))
                        .isInstanceOf(Unavailable.class);
                seen.add(pool.runAsEngine("reading", connection -> setting(connection)));
            }
            assertThat(seen).containsExactly("weir_request 1", "weir_engine ", "weir_request 2", "weir_engine ");
        }
    }

    private static String setting(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(
                        "select current_user || ' ' || coalesce(current_setting('weir.org', true), '')")) {
            found.next();
            return found.getString(1);
        }
    }

    @Test
    void every_table_with_an_organisation_has_a_policy_for_each_role_that_may_use_it() throws Exception {
        List<String> without = new ArrayList<>();
        int tables = 0;
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        select relname, relrowsecurity and relforcerowsecurity as forced, relispartition,
                               (select count(*) from pg_policy where polrelid = pg_class.oid) as policies,
                               (select count(*) from pg_policy
                                where polrelid = pg_class.oid and 'weir_request'::regrole = any (polroles)
                                  and pg_get_expr(polqual, polrelid) not like '%weir.org%') as open_policies,
                               has_any_column_privilege('weir_request', pg_class.oid, 'select') as may_read,
                               (select count(*) from pg_policy
                                where polrelid = pg_class.oid and 'weir_request'::regrole = any (polroles)) as request
                        from pg_class
                        where relnamespace = 'weir'::regnamespace and relkind in ('r', 'p')
                          and (relname = 'organisations' or exists (
                               select from pg_attribute where attrelid = pg_class.oid and attname = 'org'))
                        """)) {
            while (found.next()) {
                tables++;
                boolean isPartition = found.getBoolean("relispartition");
                boolean complete = found.getBoolean("forced")
                        && found.getInt("open_policies") == 0
                        && (isPartition || found.getInt("policies") > 0)
                        && (!found.getBoolean("may_read") || found.getInt("request") > 0)
                        && (!isPartition || !found.getBoolean("may_read"));
                if (!complete) {
                    without.add(found.getString("relname"));
                }
            }
        }
        assertThat(without).isEmpty();
        assertThat(tables).isGreaterThan(30);
    }

    @Test
    void no_role_that_serves_requests_can_bypass_row_level_security() throws Exception {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        select rolname from pg_roles
                        where rolname in ('weir_request', 'weir_starter') and (rolbypassrls or rolsuper)
                        """)) {
            assertThat(found.next()).isFalse();
        }
    }
}
