package dev.weir.bench.core;

import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.RunLimiter;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.function.ObjIntConsumer;

/** The bytes of heap that admission keeps for each waiting step, including the limits of its run. */
final class MemoryBench {
    private static final RunLimitValues ONE_STEP = RunLimitValues.steps(1);
    private static final int WAITING = 1_000_000;
    private static final int GC_RUNS = 4;
    private static final TicketSpec SPEC = WaitingSteps.spec(LimitNeed.parallelism(new LimitId.Key("key"), 1));

    private MemoryBench() {}

    static double bytesPerStepOfOneRun() {
        var run = new RunLimiter[1];
        return measure((steps, number) -> {
            if (number == 0) {
                run[0] = steps.openRun(RunLimitValues.NONE);
            }
            steps.addStep(run[0], SPEC);
        });
    }

    static double bytesPerRunOfOneStep() {
        return measure((steps, number) -> steps.addRunOfOneStep(ONE_STEP, SPEC));
    }

    private static double measure(ObjIntConsumer<WaitingSteps> add) {
        long before = usedHeap();
        var steps = new WaitingSteps();
        for (int i = 0; i < WAITING; i++) {
            steps.advanceClock(1);
            add.accept(steps, i);
        }
        steps.pass();
        long after = usedHeap();
        if (!steps.isPollOpen()) {
            throw new IllegalStateException("expected the crowd to be there until it was weighed");
        }
        return (double) (after - before) / WAITING;
    }

    private static long usedHeap() {
        for (int i = 0; i < GC_RUNS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
