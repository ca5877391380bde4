package dev.weir.bench.core;

import dev.weir.core.admission.RunLimits;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
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
 * Many wait for two shared limits at once, and the room that comes free of one is of no use to them because the other
 * is full. Those that need only the one should not pay for it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TwoLimits {
    private static final int PARALLELISM = 10;
    private static final LimitId.Key FLOWING = new LimitId.Key("flowing");
    private static final LimitId.Key STUCK = new LimitId.Key("stuck");

    @Param({"1000", "1000000"})
    public int waiting;

    /** Whether each waiter has a third key of its own, so that no two are of one class. */
    @Param({"false", "true"})
    public boolean distinct;

    private Crowd crowd = new Crowd();
    private final TicketSpec flowing = Crowd.spec(Need.parallelism(FLOWING, PARALLELISM));

    @Setup
    public void fill() {
        crowd = new Crowd();
        crowd.readyAlone(RunLimits.NONE, Crowd.spec(Need.parallelism(STUCK, 1)));
        crowd.pass();
        crowd.keepNewest();
        for (int i = 0; i < waiting; i++) {
            crowd.passTime(1);
            crowd.readyAlone(RunLimits.NONE, both(i));
        }
        for (int i = 0; i < 2 * PARALLELISM; i++) {
            crowd.readyAlone(RunLimits.NONE, flowing);
        }
        crowd.pass();
    }

    private TicketSpec both(int number) {
        var first = Need.parallelism(FLOWING, PARALLELISM);
        var second = Need.parallelism(STUCK, 1);
        return distinct
                ? Crowd.spec(first, second, Need.parallelism(new LimitId.Key("own-" + number), 1))
                : Crowd.spec(first, second);
    }

    @Benchmark
    public int startBesideThem() {
        crowd.passTime(1);
        crowd.finishOldest();
        crowd.readyAlone(RunLimits.NONE, flowing);
        return crowd.pass();
    }
}
