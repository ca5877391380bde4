package dev.weir.bench.core;

import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of a start while many steps wait. It should not depend on their number. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BacklogBench {
    private static final RunLimitValues ONE_STEP = RunLimitValues.steps(1);
    private static final int PARALLELISM = 100;

    @Param({"1000", "1000000"})
    public int waiting;

    private WaitingSteps steps = new WaitingSteps();
    private final TicketSpec spec = WaitingSteps.spec(LimitNeed.parallelism(new LimitId.Key("key"), PARALLELISM));

    @Setup
    public void fill() {
        steps = new WaitingSteps();
        for (int i = 0; i < waiting + PARALLELISM; i++) {
            steps.advanceClock(1);
            steps.addRunOfOneStep(ONE_STEP, spec);
        }
        steps.pass();
    }

    @Benchmark
    public int startFromBacklog() {
        steps.advanceClock(1);
        steps.finishOldest();
        steps.addRunOfOneStep(ONE_STEP, spec);
        return steps.pass();
    }
}
