package dev.weir.bench.core;

import dev.weir.bench.Goal;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.StartRun;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Decision;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.UnitId;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;

/** The time that it takes to explain why a step waits, while very many steps wait for the same two limits. */
public final class WhyBench {
    private static final int QUERIES = 1_000;
    private static final int BATCH = 1_000;
    private static final long LEASE_MICROS = 60_000_000;
    private static final String LIMITED = """
            workflow: held
            flow_control: [ { key: one, parallelism: 1 }, { key: two, rate: 1, period: 1h } ]
            steps: [ { id: step, uses: held } ]
            """;

    private WhyBench() {}

    public static List<Goal> why(boolean quick) {
        int waiting = quick ? 100_000 : 1_000_000;
        Organisation org = organisationWithWaitingRuns(waiting);
        var random = new SplittableRandom(7);
        double[] durations = new double[QUERIES];
        for (int i = 0; i < QUERIES; i++) {
            var unit = UnitId.of("run-" + random.nextInt(1, waiting), "step");
            long startNanos = System.nanoTime();
            var why = new OrganisationQueries(org, waiting).why(unit);
            durations[i] = (System.nanoTime() - startNanos) / 1e6;
            if (why.orElseThrow().size() < 2) {
                throw new IllegalStateException("expected both limits for " + unit + ", found " + why);
            }
        }
        double first = durations[0];
        Arrays.sort(durations);
        System.err.printf(
                "  why with %,d waiting: first %.1f ms, p50 %.2f ms, p99 %.2f ms%n",
                waiting, first, durations[QUERIES / 2], durations[QUERIES * 99 / 100]);
        return List.of(
                Goal.atMost("why_first_millis_" + waiting + "_waiting", first, 200),
                Goal.atMost("why_p99_millis_" + waiting + "_waiting", durations[QUERIES * 99 / 100], 200));
    }

    /**
     * Creates very many runs of one step, of which only the first starts. Time advances by one microsecond with each
     * run.
     */
    private static Organisation organisationWithWaitingRuns(int runs) {
        Plan plan = Plan.of(WorkflowReader.read(LIMITED).orThrow(), 1);
        var org = new Organisation();
        var input = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < runs; i++) {
            var start = new StartRun(new RunRequest(
                    "run-" + i, plan, input, 0, null, new TreeMap<>(), RunRequest.Options.DEFAULT, RunLineage.NONE));
            Decision<StartRun.Answer> unused = org.handle(start, i);
            if (i % BATCH == 0) {
                AdvanceResult ignored = org.advance(i);
            }
        }
        var claim = new ClaimWork("request", "worker", List.of(new ClaimWork.ServedModule("held")), 1, LEASE_MICROS);
        var decision = org.handle(claim, runs);
        if (!(decision.answer() instanceof ClaimWork.Answer.Waiting)
                || org.advance(runs).answeredPolls().isEmpty()) {
            throw new IllegalStateException("expected that the first run starts, found that it does not");
        }
        return org;
    }
}
