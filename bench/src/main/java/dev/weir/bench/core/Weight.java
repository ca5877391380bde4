package dev.weir.bench.core;

import dev.weir.core.admission.RunGate;
import dev.weir.core.admission.RunLimits;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.function.ObjIntConsumer;

/** How many bytes of heap admission keeps for each step that waits, its run's local level included. */
final class Weight {
    private static final RunLimits ONE_STEP = RunLimits.steps(1);
    private static final int WAITING = 1_000_000;
    private static final int COLLECTIONS = 4;
    private static final TicketSpec SPEC = Crowd.spec(Need.parallelism(new LimitId.Key("key"), 1));

    private Weight() {}

    static double inOneRun() {
        var run = new RunGate[1];
        return measure((crowd, number) -> {
            if (number == 0) {
                run[0] = crowd.openRun(RunLimits.NONE);
            }
            crowd.ready(run[0], SPEC);
        });
    }

    static double inRunsOfOne() {
        return measure((crowd, number) -> crowd.readyAlone(ONE_STEP, SPEC));
    }

    private static double measure(ObjIntConsumer<Crowd> add) {
        long before = used();
        var crowd = new Crowd();
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
