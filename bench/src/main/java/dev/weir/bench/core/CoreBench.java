package dev.weir.bench.core;

import dev.weir.bench.Goal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of the pure core and compares them with their goals. */
public final class CoreBench {
    private static final double NANOS_PER_SECOND = 1e9;

    private CoreBench() {}

    public static List<Goal> run(boolean quick) throws RunnerException {
        Collection<RunResult> results = measure(quick);
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast(
                "core_starts_per_second", NANOS_PER_SECOND / nanos(results, "threeLimits", Map.of()), 1_000_000));
        goals.add(Goal.atMost("core_backlog_1000000_to_1000", ratio(results, "startFromBacklog", "waiting"), 1.5));
        goals.add(Goal.atMost(
                "core_keys_100000_to_10",
                nanos(results, "startOfOneKey", Map.of("keys", "100000"))
                        / nanos(results, "startOfOneKey", Map.of("keys", "10")),
                1.5));
        goals.add(Goal.atMost("core_two_limits_1000000_to_1000", twoLimits(results, "false"), 1.5));
        goals.add(Goal.atMost("core_two_limits_distinct_1000000_to_1000", twoLimits(results, "true"), 1.5));
        goals.add(Goal.atMost(
                "core_heap_bytes_per_waiting_step_of_a_large_run", MemoryBench.bytesPerStepOfOneRun(), 200));
        goals.add(Goal.atMost("core_heap_bytes_per_waiting_run_of_one_step", MemoryBench.bytesPerRunOfOneStep(), 200));
        return goals;
    }

    private static Collection<RunResult> measure(boolean quick) throws RunnerException {
        var options = new OptionsBuilder()
                .include("dev\\.weir\\.bench\\.core\\..*")
                .forks(quick ? 1 : 3)
                .warmupIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(quick ? 3 : 5)
                .measurementTime(TimeValue.milliseconds(1_000))
                .jvmArgs("-Xms3g", "-Xmx3g")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.NORMAL)
                .build();
        return new Runner(options).run();
    }

    private static double ratio(Collection<RunResult> results, String benchmark, String parameter) {
        return nanos(results, benchmark, Map.of(parameter, "1000000"))
                / nanos(results, benchmark, Map.of(parameter, "1000"));
    }

    private static double twoLimits(Collection<RunResult> results, String distinct) {
        return nanos(results, "startBesideThem", Map.of("waiting", "1000000", "distinct", distinct))
                / nanos(results, "startBesideThem", Map.of("waiting", "1000", "distinct", distinct));
    }

    private static double nanos(Collection<RunResult> results, String benchmark, Map<String, String> parameters) {
        for (RunResult result : results) {
            boolean same = result.getParams().getBenchmark().endsWith("." + benchmark)
                    && parameters.entrySet().stream()
                            .allMatch(wanted ->
                                    wanted.getValue().equals(result.getParams().getParam(wanted.getKey())));
            if (same) {
                return result.getPrimaryResult().getScore();
            }
        }
        throw new IllegalStateException("expected a result of " + benchmark + " " + parameters + ", found none");
    }
}
