package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.StartRun;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.core.limit.RateUsage;
import dev.weir.core.limit.Window;
import dev.weir.core.run.Organisation;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.json.LimitJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which starts are loaded for rates, and which are kept. */
@Tag("S3")
@Timeout(120)
class StoredStartsTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int MANY = 200_000;
    private static final LimitId.Shared KEY = new LimitId.Key("k");
    private static final String RATED = """
            workflow: rated
            flow_control: { key: k, rate: %s, period: %s }
            steps: [ { id: a, uses: m } ]
            """;

    @Test
    void only_the_starts_of_a_busy_key_that_can_count_are_read() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, RATED.formatted(10, "1h"))) {
            insert(org, MANY, harness.now() - 3 * HOUR, Rate.sliding(10, HOUR));
            reload(harness);
            assertThat(startAndClaim(harness, 12)).hasSize(10);

            assertThat(harness.ownership.load(org).starts()).hasSize(10);
            reload(harness);
            assertThat(harness.claim(5)).as("granted in a window that is full").isEmpty();
        }
    }

    @Test
    @Tag("R3.7")
    void a_window_that_an_operator_has_made_longer_finds_what_started_before() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, RATED.formatted(10, "1s"))) {
            insert(org, 6, harness.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            assertThat(harness.ownership.load(org).starts())
                    .as("count no more by what the workflow says")
                    .isEmpty();
            harness.commit(PinKey.of(KEY, null, Rate.sliding(8, HOUR), Moment.NEVER));

            assertThat(harness.ownership.load(org).starts()).hasSize(6);
            reload(harness);
            assertThat(startAndClaim(harness, 5)).hasSize(2);
        }
    }

    @Test
    void a_waiting_step_with_a_longer_window_counts_the_starts_before_it() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, RATED.formatted(3, "1h"))) {
            insert(org, 3, harness.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            harness.commit(StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
            reload(harness);

            assertThat(harness.claim(1)).isEmpty();
        }
    }

    @Test
    void all_starts_of_a_limit_that_are_kept_can_be_read_for_a_longer_window() throws Exception {
        String org = TestPostgres.createOrganisation();
        int many = 3 * RateTracker.EXACT_STARTS;
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            long from = harness.now() - 10 * MINUTE;
            insert(org, many, from, Rate.sliding(10, SECOND));
            var other = new LimitId.Key("other");
            var starts = harness.ownership.starts(org, List.of(KEY, other));

            assertThat(starts.get(other)).isEmpty();
            assertThat(starts.get(KEY)).hasSizeBetween(RateTracker.EXACT_STARTS + 1, RateTracker.EXACT_STARTS + 2);
            assertThat(starts.get(KEY)).extracting(LimitStart::at).isSorted();
            assertThat(Objects.requireNonNull(starts.get(KEY)).stream()
                            .mapToInt(LimitStart::cost)
                            .sum())
                    .isEqualTo(many);
            assertThat(starts.get(KEY).getFirst().at())
                    .as("older ones count as late as the newest of them")
                    .isLessThanOrEqualTo(from + many - RateTracker.EXACT_STARTS);
        }
    }

    @Test
    void the_newest_start_records_the_longest_window_that_the_key_has_had() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org, RATED.formatted(60, "1h"))) {
            insert(org, 50, harness.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            List<Assignment> claims = new ArrayList<>(startAndClaim(harness, 1));
            harness.commit(PinKey.of(KEY, null, Rate.sliding(9, SECOND), Moment.NEVER));
            claims.addAll(startAndClaim(harness, 1));
            claims.forEach(claim -> harness.commit(harness.completion(claim, "1")));
            assertThat(claims).hasSize(2);

            assertThat(harness.ownership.load(org).starts()).hasSize(52);
        }
    }

    @Test
    void starts_that_are_read_back_count_like_the_full_list_of_starts() throws Exception {
        List<Rate> rates = List.of(
                Rate.sliding(2_500, 20 * MINUTE),
                Rate.sliding(30, MINUTE),
                Rate.fixed(400, 5 * MINUTE),
                Rate.fixed(1_900, 19 * MINUTE),
                Rate.sliding(1_000, 15 * MINUTE));
        for (int seed = 0; seed < 8; seed++) {
            var random = new Random(seed);
            String org = TestPostgres.createOrganisation();
            try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
                long now = harness.now();
                var original = new RateTracker();
                List<LimitStart> starts = simulate(original, rates, random, now - 45 * MINUTE, now);
                insert(org, starts);
                List<LimitStart> read = harness.ownership.load(org).starts();
                assertThat(read).hasSizeLessThan(2_200);
                assertThat(starts).hasSizeGreaterThan(4_000);
                var rebuilt = new RateTracker();
                rates.forEach(rebuilt::track);
                read.forEach(rebuilt::restore);
                for (long later = harness.now(); later < now + 25 * MINUTE; later += 7 * SECOND) {
                    for (Rate rate : rates) {
                        requireSame(rebuilt.usage(rate), original.usage(rate), rate, later);
                    }
                }
            }
        }
    }

    /**
     * Compares two usages of a rate that remembers single starts. Only starts that matter must be equal; the rebuilt
     * usage may know more of the others.
     */
    private static void requireSame(RateUsage rebuilt, RateUsage original, Rate rate, long at) {
        assertThat(rebuilt.fitsAt(rate.count(), 1, at))
                .as("%s at %s", rate, at)
                .isEqualTo(original.fitsAt(rate.count(), 1, at));
        if (rate.window() == Window.FIXED || rate.count() > RateTracker.EXACT_STARTS) {
            assertThat(rebuilt.used(at)).as("used of %s at %s", rate, at).isEqualTo(original.used(at));
        }
    }

    /** Returns the starts that would have happened if there was always demand, under one of the rates or under none. */
    private static List<LimitStart> simulate(RateTracker tracker, List<Rate> rates, Random random, long from, long to) {
        rates.forEach(tracker::usage);
        List<LimitStart> starts = new ArrayList<>();
        for (long at = from; at < to; at += random.nextLong(400_000)) {
            Rate rate = random.nextInt(3) == 0 ? null : rates.get(random.nextInt(rates.size()));
            if (rate == null || tracker.usage(rate).used(at) < rate.count()) {
                boolean opens = tracker.record(at, 1, rate == null ? null : tracker.usage(rate));
                starts.add(new LimitStart(KEY, at, 1, rate, opens, tracker.longestPeriod()));
            }
        }
        return starts;
    }

    @Test
    void housekeeping_deletes_starts_that_no_longer_count_and_keeps_the_newest() throws Exception {
        String busy = TestPostgres.createOrganisation();
        String weekly = TestPostgres.createOrganisation();
        String pinned = TestPostgres.createOrganisation();
        long now;
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), pinned)) {
            now = harness.now();
            harness.commit(PinKey.of(KEY, null, Rate.sliding(9, 7 * DAY), Moment.NEVER));
        }
        insert(busy, MANY, now - 3 * HOUR, Rate.sliding(10, SECOND));
        insert(busy, 10, now - SECOND, Rate.sliding(10, SECOND));
        insert(pinned, 2_000, now - 2 * DAY, Rate.sliding(10, SECOND));
        insert(weekly, 2_000, now - 6 * DAY, Rate.sliding(3_000, 7 * DAY));
        insert(weekly, 5, now - 9 * DAY, Rate.sliding(3_000, 7 * DAY));

        TestPostgres.postgres().runHousekeeping();

        assertThat(countStored(busy)).isEqualTo(RateTracker.EXACT_STARTS);
        assertThat(countStored(weekly)).isEqualTo(2_000);
        assertThat(countStored(pinned)).isEqualTo(2_000);
    }

    @Test
    void starts_are_found_by_their_limit() throws Exception {
        String org = TestPostgres.createOrganisation();
        try (var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            insert(org, MANY, harness.now() - 3 * HOUR, Rate.sliding(10, SECOND));
            insert(org, 10, harness.now() - SECOND, Rate.sliding(10, SECOND));
            Object[] loading = {number(org), harness.now(), MINUTE, RateTracker.EXACT_STARTS, new String[0], new Long[0]
            };
            String read = queryText(
                    "explain analyze "
                            + SqlStatements.of(OrganisationLoader.class).get("starts"),
                    loading);
            assertThat(read).doesNotContain("Seq Scan on rate_starts").doesNotContain("Removed by Filter");
            Object[] resetting = {new Integer[] {number(org)}, new String[] {"key:other"}};
            assertThat(queryText("explain " + SqlStatements.of(RowWrites.class).get("delete_rate_starts"), resetting))
                    .doesNotContain("Seq Scan on rate_starts");
        }
    }

    private static String queryText(String statement, Object... parameters) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (var connection = connect();
                var prepared = connection.prepareStatement(statement)) {
            for (int i = 0; i < parameters.length; i++) {
                prepared.setObject(i + 1, parameters[i]);
            }
            try (ResultSet found = prepared.executeQuery()) {
                while (found.next()) {
                    lines.add(found.getString(1));
                }
            }
        }
        return String.join("\n", lines);
    }

    private static Connection connect() throws SQLException {
        return TestPostgres.address().connect("starts", Duration.ofMinutes(1));
    }

    /** Simulates a new owner, which knows only the rows. */
    private static void reload(OrganisationHarness harness) {
        harness.memory = Organisation.restore(harness.ownership.load(harness.org), harness.now());
    }

    private static List<Assignment> startAndClaim(OrganisationHarness harness, int runs) {
        for (int i = 0; i < runs; i++) {
            harness.commit(StartRun.of("r" + harness.now(), harness.plan, OrganisationHarness.json("{}")));
        }
        return harness.claim(runs);
    }

    private static int number(String org) throws SQLException {
        return Integer.parseInt(queryText("select number::text from organisations where name = ?", org));
    }

    private static int countStored(String org) throws SQLException {
        return Integer.parseInt(queryText("select count(*)::text from rate_starts where org = ?", number(org)));
    }

    /** Inserts starts one after the other, a microsecond apart. */
    private static void insert(String org, int many, long from, Rate rate) throws SQLException {
        try (var connection = connect();
                var statement = connection.prepareStatement("""
                        insert into rate_starts (org, "limit", at, cost, count, period, "window", opens_window)
                        select ?, ?, ? + n, 1, ?, ?, 's', false from generate_series(1, ?) as n
                        """)) {
            statement.setInt(1, number(org));
            statement.setString(2, KEY.text());
            statement.setLong(3, from);
            statement.setInt(4, rate.count());
            statement.setLong(5, rate.period());
            statement.setInt(6, many);
            statement.executeUpdate();
        }
    }

    private static void insert(String org, List<LimitStart> starts) throws SQLException {
        int number = number(org);
        try (var connection = connect();
                var statement = connection.prepareStatement("""
                        insert into rate_starts (org, "limit", at, cost, count, period, "window", opens_window, longest_period)
                        values (?, ?, ?, ?, ?, ?, ?::"char", ?, ?)
                        """)) {
            connection.setAutoCommit(false);
            for (LimitStart start : starts) {
                Rate rate = start.rate();
                statement.setInt(1, number);
                statement.setString(2, start.limit().text());
                statement.setLong(3, start.at());
                statement.setInt(4, start.cost());
                statement.setObject(5, rate == null ? null : rate.count());
                statement.setObject(6, rate == null ? null : rate.period());
                statement.setString(7, rate == null ? null : LimitJson.letter(rate.window()));
                statement.setBoolean(8, start.opensWindow());
                statement.setLong(9, start.longestPeriod());
                statement.addBatch();
            }
            statement.executeBatch();
            connection.commit();
        }
    }
}
