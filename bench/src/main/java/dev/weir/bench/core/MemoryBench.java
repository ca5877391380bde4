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
    private static final int COLLECTIONS = 4;
    private static final TicketSpec SPEC = WaitingSteps.spec(LimitNeed.parallelism(new LimitId.Key("key"), 1));

    private MemoryBench() {}

    static double inOneRun() {
        var run = new RunLimiter[1];
        return measure((crowd, number) -> {
            if (number == 0) {
                run[0] = crowd.openRun(RunLimitValues.NONE);
            }
            crowd.ready(run[0], SPEC);
        });
    }

    static double inRunsOfOne() {
        return measure((crowd, number) -> crowd.readyAlone(ONE_STEP, SPEC));
    }

    private static double measure(ObjIntConsumer<WaitingSteps> add) {
        long before = used();
        var crowd = new WaitingSteps();
        for (int i = 0; i < WAITING; i++) {
            crowd.passTime(1);
            add.accept(crowd, i);
        }
        crowd.pass();
        long after = used();
        if (!crowd.hungry()) {
            throw new IllegalStateException("expected the crowd to be there until it was weighed");
        }
        return (double) (after - before) / WAITING;
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
