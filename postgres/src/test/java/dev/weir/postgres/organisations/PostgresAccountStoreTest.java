package dev.weir.postgres.organisations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.StartRun;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.QuotaChange;
import dev.weir.engine.records.QuotaRecord;
import dev.weir.engine.records.ReaderLogin;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostgresAccountStoreTest {
    private static final String NO_RIGHT = "42501";

    private final AccountStore accounts = TestPostgres.postgres().records().accounts();

    /** Creates an organisation in which one run has started and two are held. */
    private static String organisationWithRuns() {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            FieldChange<Integer> keep = new FieldChange.Keep<>();
            var values = new ConfigureRunLimits.Values(
                    new FieldChange.Replace<>(1),
                    keep,
                    keep,
                    keep,
                    new ConfigureRunLimits.Note("ada", "small"),
                    Moment.NEVER);
            harness.commit(new ConfigureRunLimits(new LimitId.OrgRuns(), values, null));
            for (int i = 0; i < 3; i++) {
                harness.commit(StartRun.of("r" + i, harness.plan, OrganisationHarness.json("{}")));
            }
        }
        return org;
    }

    @Test
    @Tag("R4.4")
    void totals_are_written_with_the_moves_and_survive_the_end_of_runs() {
        String org = organisationWithRuns();
        assertThat(accounts.counts(org)).isEqualTo(new ExecutionCounts(1, 2, 0, 0));
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            harness.commit(harness.completion(harness.claim(1).getFirst(), "1"));
        }
        assertThat(accounts.counts(org)).isEqualTo(new ExecutionCounts(2, 2, 0, 0));
    }

    @Test
    @Tag("R4.3")
    void the_time_of_the_next_check_is_stored_until_the_run_starts() throws Exception {
        String org = organisationWithRuns();
        String query = "select run_id || ' ' || (rate_limit_hold_until > accepted_at) from weir.live_runs"
                + " where organisation = '" + org + "' and rate_limit_hold_until is not null order by 1";
        assertThat(asSuperuser(query)).containsExactly("r1 true", "r2 true");
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            assertThat(harness.memory.findRun("r1").orElseThrow().detail().isHeld())
                    .as("restored")
                    .isTrue();
            harness.commit(harness.completion(harness.claim(1).getFirst(), "1"));
        }
        assertThat(asSuperuser(query)).containsExactly("r2 true");
    }

    @Test
    @Tag("R4.11")
    void the_quota_counts_starts_of_the_month_in_the_time_zone_of_the_organisation() throws Exception {
        String org = organisationWithRuns();
        QuotaRecord unset = accounts.quota(org);
        assertThat(unset.limit()).isNull();
        assertThat(unset.remaining()).isNull();
        assertThat(unset.used()).isEqualTo(1);
        QuotaRecord set = accounts.changeQuota(org, new QuotaChange(10L, "Pacific/Kiritimati"), Attribution.PROGRAM);
        assertThat(set.timeZone()).isEqualTo("Pacific/Kiritimati");
        assertThat(set.resetAt()
                        .atZone(java.time.ZoneId.of("Pacific/Kiritimati"))
                        .getDayOfMonth())
                .isEqualTo(1);
        assertThat(accounts.changeQuota(org, new QuotaChange(20L, null), Attribution.PROGRAM)
                        .timeZone())
                .as("it stays")
                .isEqualTo("Pacific/Kiritimati");
        assertThat(asSuperuser("select action || ' ' || actor from weir.audit_entries where org = 0 and target ="
                        + " 'organisation:" + org + "' and action = 'change_quota' order by number"))
                .hasSize(2)
                .allMatch(entry -> entry.equals("change_quota this process"));
    }

    @Test
    @Tag("R4.9")
    @Tag("R4.10")
    void a_reader_sees_the_counters_and_limits_of_its_organisation_and_nothing_else() throws Exception {
        String mine = organisationWithRuns();
        String other = organisationWithRuns();
        ReaderLogin login = accounts.createReader(mine, Attribution.PROGRAM);
        ReaderLogin otherLogin = accounts.createReader(other, Attribution.PROGRAM);
        try (Connection reader = connect(login);
                Connection otherReader = connect(otherLogin)) {
            String counters = "select organisation || ' ' || concurrent_runs || ' ' || queued || ' ' || held || ' ' ||"
                    + " max_concurrent_runs || ' ' || started || ' ' || deferred from weir.execution_rate_counters";
            assertThat(query(reader, counters)).containsExactly(mine + " 1 2 2 1 1 2");
            assertThat(query(otherReader, counters)).containsExactly(other + " 1 2 2 1 1 2");
            String limits = "select scope || ' ' || actor from weir.rate_limit_configs";
            assertThat(query(reader, limits)).containsExactly("organisation ada");
            for (String attempt : List.of("set weir.org = '1'", "set role weir_reader", "reset role")) {
                execute(reader, attempt);
                assertThat(query(reader, counters)).as(attempt).containsExactly(mine + " 1 2 2 1 1 2");
                assertThat(query(reader, limits)).as(attempt).hasSize(1);
            }
        }
    }

    @Test
    @Tag("R4.9")
    void a_reader_can_neither_take_another_role_nor_read_or_write_anything_else() throws Exception {
        ReaderLogin login = accounts.createReader(organisationWithRuns(), Attribution.PROGRAM);
        ReaderLogin other = accounts.createReader(organisationWithRuns(), Attribution.PROGRAM);
        List<String> attempts = new ArrayList<>(List.of(
                "set role weir_engine",
                "set role weir_request",
                "set role " + other.login(),
                "set session authorization " + other.login(),
                "update weir.rate_limit_configs set max_concurrent_runs = 9",
                "delete from weir.rate_limit_configs",
                "insert into weir.organisation_readers (org, login) values (1, current_user)",
                "create table weir.mine (a int)",
                "create function weir.visible_organisations(a int) returns int language sql as 'select 1'",
                "select weir.visible_organisations() from weir.organisations"));
        try (Connection reader = connect(login)) {
            attempts.addAll(query(
                    reader,
                    "select 'select from weir.' || relname from pg_class where relnamespace = 'weir'::regnamespace"
                            + " and relkind in ('r', 'p', 'v') and relname not in"
                            + " ('execution_rate_counters', 'rate_limit_configs')"));
            assertThat(attempts).hasSizeGreaterThan(40);
            for (String attempt : attempts) {
                assertThatThrownBy(() -> execute(reader, attempt))
                        .as(attempt)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).as(attempt).isEqualTo(NO_RIGHT));
            }
        }
    }

    @Test
    void a_new_password_replaces_the_old_one() throws Exception {
        String org = TestPostgres.createOrganisation();
        ReaderLogin first = accounts.createReader(org, Attribution.PROGRAM);
        ReaderLogin second = accounts.createReader(org, Attribution.PROGRAM);
        assertThat(second.login()).isEqualTo(first.login());
        connect(second).close();
        assertThatThrownBy(() -> connect(first)).isInstanceOf(SQLException.class);
        assertThat(asSuperuser(
                        "select action from weir.audit_entries where org = 0 and target = 'organisation:" + org + "'"))
                .containsExactly("create_organisation", "create_reader", "create_reader");
        assertThatThrownBy(() -> accounts.createReader("nobody", Attribution.PROGRAM))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Connection connect(ReaderLogin login) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + login.database(), login.login(), login.password());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> query(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            while (found.next()) {
                rows.add(found.getString(1));
            }
        }
        return rows;
    }

    private static List<String> asSuperuser(String sql) throws SQLException {
        try (var connection = TestPostgres.address().connect("test", java.time.Duration.ofSeconds(30))) {
            return query(connection, sql);
        }
    }
}
