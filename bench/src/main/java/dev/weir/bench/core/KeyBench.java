package dev.weir.bench.core;

import dev.weir.core.admission.Allocation;
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

/** The cost of a start with many keys of parallelism 1. It should not depend on their number. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBench {
    private static final RunLimitValues ONE_STEP = RunLimitValues.steps(1);
    private static final int WAITING_PER_KEY = 2;

    @Param({"10", "100000"})
    public int keys;

    private WaitingSteps steps = new WaitingSteps();

    @Setup
    public void fill() {
        steps = new WaitingSteps();
        for (int round = 0; round <= WAITING_PER_KEY; round++) {
            for (int key = 0; key < keys; key++) {
                steps.advanceClock(1);
                steps.addRunOfOneStep(ONE_STEP, specOf(key));
            }
        }
        steps.pass();
    }

    private static TicketSpec specOf(int key) {
        return WaitingSteps.spec(LimitNeed.parallelism(new LimitId.Key("customer-" + key), 1));
    }

    @Benchmark
    public int startOfOneKey() {
        steps.advanceClock(1);
        Allocation ended = steps.finishOldest();
        steps.addRunOfOneStep(ONE_STEP, ended.spec());
        return steps.pass();
    }
}
