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
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
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
class CountingStartsTest {
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
    void of_a_busy_key_no_more_starts_are_read_than_can_count() throws Exception {
        String org = Server.organisation();
        try (var world = new Worlds(Server.postgres().journal(), org, RATED.formatted(10, "1h"))) {
            insert(org, MANY, world.now() - 3 * HOUR, Rate.sliding(10, HOUR));
            reload(world);
            assertThat(startAndClaim(world, 12)).hasSize(10);

            assertThat(world.tenure.load(org).starts()).hasSize(10);
            reload(world);
            assertThat(world.claim(5)).as("granted in a window that is full").isEmpty();
        }
    }

    @Test
    @Tag("R3.7")
    void a_window_that_an_operator_has_made_longer_finds_what_started_before() throws Exception {
        String org = Server.organisation();
        try (var world = new Worlds(Server.postgres().journal(), org, RATED.formatted(10, "1s"))) {
            insert(org, 6, world.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            assertThat(world.tenure.load(org).starts())
                    .as("count no more by what the workflow says")
                    .isEmpty();
            world.commit(PinKey.of(KEY, null, Rate.sliding(8, HOUR), Moment.NEVER));

            assertThat(world.tenure.load(org).starts()).hasSize(6);
            reload(world);
            assertThat(startAndClaim(world, 5)).hasSize(2);
        }
    }

    @Test
    void what_waits_with_a_longer_window_finds_what_started_before_it_came() throws Exception {
        String org = Server.organisation();
        try (var world = new Worlds(Server.postgres().journal(), org, RATED.formatted(3, "1h"))) {
            insert(org, 3, world.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            world.commit(StartRun.of("r", world.plan, Worlds.json("{}")));
            reload(world);

            assertThat(world.claim(1)).isEmpty();
        }
    }

    @Test
    void all_starts_of_a_limit_that_are_kept_can_be_read_for_a_longer_window() throws Exception {
        String org = Server.organisation();
        int many = 3 * RateTracker.REMEMBERED_STARTS;
        try (var world = new Worlds(Server.postgres().journal(), org)) {
            long from = world.now() - 10 * MINUTE;
            insert(org, many, from, Rate.sliding(10, SECOND));
            var other = new LimitId.Key("other");
            var starts = world.tenure.starts(org, List.of(KEY, other));

            assertThat(starts.get(other)).isEmpty();
            assertThat(starts.get(KEY))
                    .hasSizeBetween(RateTracker.REMEMBERED_STARTS + 1, RateTracker.REMEMBERED_STARTS + 2);
            assertThat(starts.get(KEY)).extracting(LimitStart::at).isSorted();
            assertThat(Objects.requireNonNull(starts.get(KEY)).stream()
                            .mapToInt(LimitStart::cost)
                            .sum())
                    .isEqualTo(many);
            assertThat(starts.get(KEY).getFirst().at())
                    .as("older ones count as late as the newest of them")
                    .isLessThanOrEqualTo(from + many - RateTracker.REMEMBERED_STARTS);
        }
    }

    @Test
    void the_newest_start_tells_of_the_longest_window_that_the_key_has_had() throws Exception {
        String org = Server.organisation();
        try (var world = new Worlds(Server.postgres().journal(), org, RATED.formatted(60, "1h"))) {
            insert(org, 50, world.now() - 10 * MINUTE, Rate.sliding(10, SECOND));
            List<Assignment> claims = new ArrayList<>(startAndClaim(world, 1));
            world.commit(PinKey.of(KEY, null, Rate.sliding(9, SECOND), Moment.NEVER));
            claims.addAll(startAndClaim(world, 1));
            claims.forEach(claim -> world.commit(world.completed(claim, "1")));
            assertThat(claims).hasSize(2);

            assertThat(world.tenure.load(org).starts()).hasSize(52);
        }
    }

    @Test
    void what_is_read_again_counts_as_all_that_started_does() throws Exception {
        List<Rate> rates = List.of(
                Rate.sliding(2_500, 20 * MINUTE),
                Rate.sliding(30, MINUTE),
                Rate.fixed(400, 5 * MINUTE),
                Rate.fixed(1_900, 19 * MINUTE),
                Rate.sliding(1_000, 15 * MINUTE));
        for (int seed = 0; seed < 8; seed++) {
            var random = new Random(seed);
            String org = Server.organisation();
            try (var world = new Worlds(Server.postgres().journal(), org)) {
                long now = world.now();
                var lived = new RateTracker();
                List<LimitStart> starts = lived(lived, rates, random, now - 45 * MINUTE, now);
                insert(org, starts);
                List<LimitStart> read = world.tenure.load(org).starts();
                assertThat(read).hasSizeLessThan(2_200);
                assertThat(starts).hasSizeGreaterThan(4_000);
                var rebuilt = new RateTracker();
                rates.forEach(rebuilt::expect);
                read.forEach(rebuilt::restore);
                for (long later = world.now(); later < now + 25 * MINUTE; later += 7 * SECOND) {
                    for (Rate rate : rates) {
                        requireSame(rebuilt.usage(rate), lived.usage(rate), rate, later);
                    }
                }
            }
        }
    }

    /**
     * Compares two usages of a rate that remembers single starts. Only starts that matter must be equal; the rebuilt
     * usage may know more of the others.
     */
    private static void requireSame(RateUsage rebuilt, RateUsage lived, Rate rate, long at) {
        assertThat(rebuilt.fitsAt(rate.count(), 1, at))
                .as("%s at %s", rate, at)
                .isEqualTo(lived.fitsAt(rate.count(), 1, at));
        if (rate.window() == Window.FIXED || rate.count() > RateTracker.REMEMBERED_STARTS) {
            assertThat(rebuilt.used(at)).as("used of %s at %s", rate, at).isEqualTo(lived.used(at));
        }
    }

    /** Returns the starts that would have happened if there was always demand, under one of the rates or under none. */
    private static List<LimitStart> lived(RateTracker book, List<Rate> rates, Random random, long from, long to) {
        rates.forEach(book::usage);
        List<LimitStart> starts = new ArrayList<>();
        for (long at = from; at < to; at += random.nextLong(400_000)) {
            Rate rate = random.nextInt(3) == 0 ? null : rates.get(random.nextInt(rates.size()));
            if (rate == null || book.usage(rate).used(at) < rate.count()) {
                boolean opens = book.record(at, 1, rate == null ? null : book.usage(rate));
                starts.add(new LimitStart(KEY, at, 1, rate, opens, book.longestPeriod()));
            }
        }
        return starts;
    }

    @Test
    void what_can_count_no_more_is_forgotten_and_the_newest_stay() throws Exception {
        String busy = Server.organisation();
        String weekly = Server.organisation();
        String pinned = Server.organisation();
        long now;
        try (var world = new Worlds(Server.postgres().journal(), pinned)) {
            now = world.now();
            world.commit(PinKey.of(KEY, null, Rate.sliding(9, 7 * DAY), Moment.NEVER));
        }
        insert(busy, MANY, now - 3 * HOUR, Rate.sliding(10, SECOND));
        insert(busy, 10, now - SECOND, Rate.sliding(10, SECOND));
        insert(pinned, 2_000, now - 2 * DAY, Rate.sliding(10, SECOND));
        insert(weekly, 2_000, now - 6 * DAY, Rate.sliding(3_000, 7 * DAY));
        insert(weekly, 5, now - 9 * DAY, Rate.sliding(3_000, 7 * DAY));

        Server.postgres().keepHouse();

        assertThat(kept(busy)).isEqualTo(RateTracker.REMEMBERED_STARTS);
        assertThat(kept(weekly)).isEqualTo(2_000);
        assertThat(kept(pinned)).isEqualTo(2_000);
    }

    @Test
    void starts_are_found_by_their_limit() throws Exception {
        String org = Server.organisation();
        try (var world = new Worlds(Server.postgres().journal(), org)) {
            insert(org, MANY, world.now() - 3 * HOUR, Rate.sliding(10, SECOND));
            insert(org, 10, world.now() - SECOND, Rate.sliding(10, SECOND));
            Object[] loading = {
                number(org), world.now(), MINUTE, RateTracker.REMEMBERED_STARTS, new String[0], new Long[0]
            };
            String read = explained(
                    "explain analyze "
                            + SqlStatements.of(OrganisationLoader.class).get("starts"),
                    loading);
            assertThat(read).doesNotContain("Seq Scan on starts").doesNotContain("Removed by Filter");
            Object[] resetting = {new Integer[] {number(org)}, new String[] {"key:other"}};
            assertThat(explained("explain " + SqlStatements.of(RowWrites.class).get("delete_starts"), resetting))
                    .doesNotContain("Seq Scan on starts");
        }
    }

    private static String explained(String statement, Object... parameters) throws SQLException {
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
        return Server.access().connect("starts", Duration.ofMinutes(1));
    }

    /** Simulates a new owner, which knows only the rows. */
    private static void reload(Worlds world) {
        world.memory = Organisation.restore(world.tenure.load(world.org), world.now());
    }

    private static List<Assignment> startAndClaim(Worlds world, int runs) {
        for (int i = 0; i < runs; i++) {
            world.commit(StartRun.of("r" + world.now(), world.plan, Worlds.json("{}")));
        }
        return world.claim(runs);
    }

    private static int number(String org) throws SQLException {
        return Integer.parseInt(explained("select number::text from organisations where name = ?", org));
    }

    private static int kept(String org) throws SQLException {
        return Integer.parseInt(explained("select count(*)::text from starts where org = ?", number(org)));
    }

    /** Inserts starts one after the other, a microsecond apart. */
    private static void insert(String org, int many, long from, Rate rate) throws SQLException {
        try (var connection = connect();
                var statement = connection.prepareStatement("""
                        insert into starts (org, "limit", at, cost, count, period, "window", opens)
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
                        insert into starts (org, "limit", at, cost, count, period, "window", opens, longest)
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
                statement.setBoolean(8, start.opens());
                statement.setLong(9, start.longest());
                statement.addBatch();
            }
            statement.executeBatch();
            connection.commit();
        }
    }
}
