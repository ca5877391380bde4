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

/**
 * The cost of a start while many steps wait for two shared limits. Space becomes free in one limit, but these steps
 * cannot use it because the other limit is full. Steps that need only the first limit should not pay for them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TwoLimitsBench {
    private static final int PARALLELISM = 10;
    private static final LimitId.Key FLOWING = new LimitId.Key("flowing");
    private static final LimitId.Key STUCK = new LimitId.Key("stuck");

    @Param({"1000", "1000000"})
    public int waiting;

    /** True if each waiting step has a third key of its own, so that no two of them are in the same class. */
    @Param({"false", "true"})
    public boolean distinct;

    private WaitingSteps steps = new WaitingSteps();
    private final TicketSpec flowing = WaitingSteps.spec(LimitNeed.parallelism(FLOWING, PARALLELISM));

    @Setup
    public void fill() {
        steps = new WaitingSteps();
        steps.addRunOfOneStep(RunLimitValues.NONE, WaitingSteps.spec(LimitNeed.parallelism(STUCK, 1)));
        steps.pass();
        steps.keepNewestRunning();
        for (int i = 0; i < waiting; i++) {
            steps.advanceClock(1);
            steps.addRunOfOneStep(RunLimitValues.NONE, specWithBothLimits(i));
        }
        for (int i = 0; i < 2 * PARALLELISM; i++) {
            steps.addRunOfOneStep(RunLimitValues.NONE, flowing);
        }
        steps.pass();
    }

    private TicketSpec specWithBothLimits(int number) {
        var first = LimitNeed.parallelism(FLOWING, PARALLELISM);
        var second = LimitNeed.parallelism(STUCK, 1);
        return distinct
                ? WaitingSteps.spec(first, second, LimitNeed.parallelism(new LimitId.Key("own-" + number), 1))
                : WaitingSteps.spec(first, second);
    }

    @Benchmark
    public int startBesideThem() {
        steps.advanceClock(1);
        steps.finishOldest();
        steps.addRunOfOneStep(RunLimitValues.NONE, flowing);
        return steps.pass();
    }
}
