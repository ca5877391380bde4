package dev.weir.bench.database;

import dev.weir.bench.Goal;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The number of jobs per second from start to done, compared with the floor, with other engines, and under limits. */
public final class Throughput {
    private static final int BATCH = 500;

    private final boolean quick;

    public Throughput(boolean quick) {
        this.quick = quick;
    }

    private int rounds() {
        return quick ? 3 : 5;
    }

    private int jobs() {
        return quick ? 20_000 : 60_000;
    }

    /** Compares Weir with the minimum that must be written for a step, without any decision in between. */
    public List<Goal> floor() throws Exception {
        List<Goal> goals = new ArrayList<>();
        try (BenchDatabase server = BenchDatabase.open();
                var floorT = Floor.inPlace(server, BATCH);
                var floorM = Floor.moving(server, BATCH);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            var rounds = new Interleaved(server)
                    .add(floorT, jobs())
                    .add(weir, jobs())
                    .add(floorM, jobs())
                    .run(rounds());
            goals.add(Goal.atLeast("start_to_done_to_floor_t", rounds.ratio(weir, floorT, Round::perSecond), 0.6));
            goals.add(Goal.atLeast("start_to_done_to_floor_m", rounds.ratio(weir, floorM, Round::perSecond), 0.6));
            goals.add(Goal.atMost("log_bytes_to_floor_t", rounds.ratio(weir, floorT, Round::walBytes), 1));
            goals.add(Goal.atMost("postgresql_cpu_to_floor_t", rounds.ratio(weir, floorT, Round::serverMicros), 1.5));
        }
        return goals;
    }

    /** Compares limits on the runs of the organisation, of both kinds, with none. */
    public List<Goal> organisationLimits() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server);
                var runs = new OneStepRuns(server, node, "plain", "", 1);
                var none = LimitedOrganisation.without(node, runs);
                var concurrency = LimitedOrganisation.withConcurrency(node, runs);
                var both = LimitedOrganisation.withBoth(node, runs)) {
            var rounds = new Interleaved(server)
                    .add(none, jobs())
                    .add(concurrency, jobs())
                    .add(both, jobs())
                    .run(rounds());
            return List.of(
                    Goal.atLeast(
                            "organisation_concurrency_to_none", rounds.ratio(concurrency, none, Round::perSecond), 0.9),
                    Goal.atLeast("organisation_limits_to_none", rounds.ratio(both, none, Round::perSecond), 0.9));
        }
    }

    public List<Goal> dbos() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                var other = new Dbos(server);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            var rounds = new Interleaved(server)
                    .add(other, quick ? 1_000 : 5_000)
                    .add(weir, jobs())
                    .run(rounds());
            return List.of(Goal.atLeast("start_to_done_to_dbos", rounds.ratio(weir, other, Round::perSecond), 30));
        }
    }

    public List<Goal> dbScheduler() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                var other = new DbScheduler(server);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            var rounds = new Interleaved(server)
                    .add(other, quick ? 5_000 : 20_000)
                    .add(weir, jobs())
                    .run(rounds());
            return List.of(
                    Goal.atLeast("start_to_done_to_db_scheduler", rounds.ratio(weir, other, Round::perSecond), 3));
        }
    }

    /** Compares keys of parallelism 1 with no keys, and many keys with few. */
    public List<Goal> keys() throws Exception {
        String one = "{ key: \"k-${{ input.key }}\", parallelism: 1 }";
        String roomy = "{ key: \"k-${{ input.key }}\", parallelism: 1000 }";
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server);
                var plain = new OneStepRuns(server, node, "plain", "", 1);
                var keyed = new OneStepRuns(server, node, "keyed", one, 1_000);
                var few = new OneStepRuns(server, node, "few", roomy, 10);
                var many = new OneStepRuns(server, node, "many", roomy, 100_000)) {
            var rounds = new Interleaved(server)
                    .add(plain, jobs())
                    .add(keyed, jobs())
                    .add(few, jobs())
                    .add(many, jobs())
                    .run(rounds());
            return List.of(
                    Goal.atLeast("keys_1000_to_none", rounds.ratio(keyed, plain, Round::perSecond), 0.7),
                    Goal.atMost("cpu_keys_100000_to_10", rounds.ratio(many, few, Round::cpuMicros), 1.5));
        }
    }

    /**
     * Measures one key with parallelism 10, which allows at most ten jobs per commit. Compares the jobs with the actual
     * commits, and with the commits that would be possible if nothing else happened.
     */
    public List<Goal> limit10() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                var bare = new BareCommit(server);
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "limited", "{ key: one, parallelism: 10 }", 1)) {
            int jobs = quick ? 5_000 : 20_000;
            weir.run(jobs);
            long before = node.commits();
            var rounds = new Interleaved(server).add(weir, jobs).run(rounds());
            double perCommit = (double) jobs * (rounds() + Interleaved.WARM_UP_ROUNDS) / (node.commits() - before);
            double commitMicros = bare.medianMicros(2_000);
            System.err.printf("  %.1f jobs for each commit; a bare commit takes %.0f µs%n", perCommit, commitMicros);
            double possiblePerSecond = 10 / (commitMicros / 1e6);
            return List.of(
                    Goal.atLeast("limit_10_to_commit_cycle", perCommit / 10, 0.8),
                    Goal.atLeast(
                            "limit_10_to_bare_commits",
                            rounds.median(weir, Round::perSecond) / possiblePerSecond,
                            0.8));
        }
    }

    /** Measures the effect of a snapshot that is open elsewhere and prevents the cleanup of dead rows. */
    public List<Goal> snapshot() throws Exception {
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            var without = new Interleaved(server).add(weir, jobs()).run(rounds());
            double baseline = without.median(weir, Round::perSecond);
            try (Connection other = server.dataSource().getConnection()) {
                openSnapshot(other);
                long until = System.nanoTime() + (quick ? 5_000_000_000L : 15_000_000_000L);
                while (System.nanoTime() < until) {
                    weir.run(jobs() / 4);
                }
                var with = new Interleaved(server).add(weir, jobs()).run(rounds());
                return List.of(
                        Goal.atLeast("old_snapshot_to_none", with.median(weir, Round::perSecond) / baseline, 0.7));
            }
        }
    }

    private static void openSnapshot(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (var statement = connection.createStatement()) {
            statement.execute("select count(*) from pg_class");
        }
    }

    /** Compares the throughput after many finished steps with that of an empty history. */
    public List<Goal> history() throws IOException, Exception {
        int finished = quick ? 200_000 : 5_000_000;
        try (BenchDatabase server = BenchDatabase.open();
                var node = new LocalNode(server);
                var weir = new OneStepRuns(server, node, "plain", "", 1)) {
            double before =
                    new Interleaved(server).add(weir, jobs()).run(rounds()).median(weir, Round::perSecond);
            for (int done = 0; done < finished; done += jobs()) {
                weir.run(jobs());
                System.err.printf("  %,d of %,d finished%n", Math.min(finished, done + jobs()), finished);
            }
            double after =
                    new Interleaved(server).add(weir, jobs()).run(rounds()).median(weir, Round::perSecond);
            return List.of(Goal.atLeast("after_" + finished + "_steps_to_none", after / before, 0.8));
        }
    }
}
