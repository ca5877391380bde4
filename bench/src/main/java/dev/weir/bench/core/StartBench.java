package dev.weir.bench.core;

import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.RunLimiter;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The whole way of a step through admission under three limits: its run's steps, a key's parallelism, and a key's rate.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StartBench {
    private static final int RUNS = 16;
    private static final int STEPS_PER_RUN = 8;
    private static final int PARALLELISM = 100;
    private static final long MILLISECOND = 1_000;

    private WaitingSteps steps = new WaitingSteps();
    private TicketSpec spec = WaitingSteps.spec();
    private RunLimiter[] runs = new RunLimiter[RUNS];
    private int nextRun;

    @Setup
    public void fill() {
        steps = new WaitingSteps();
        spec = WaitingSteps.spec(
                LimitNeed.parallelism(new LimitId.Key("capacity"), PARALLELISM),
                LimitNeed.rate(new LimitId.Key("rate"), Rate.sliding(1_000, 1_000_000)));
        for (int i = 0; i < RUNS; i++) {
            runs[i] = steps.openRun(RunLimitValues.steps(STEPS_PER_RUN));
        }
        for (int i = 0; i < PARALLELISM + RUNS; i++) {
            steps.addStep(runs[i % RUNS], spec);
        }
        steps.pass();
    }

    /** Ends one step, makes one ready, and starts one. */
    @Benchmark
    public int threeLimits() {
        steps.advanceClock(MILLISECOND);
        steps.finishOldest();
        nextRun++;
        steps.addStep(runs[nextRun % RUNS], spec);
        return steps.pass();
    }
}
