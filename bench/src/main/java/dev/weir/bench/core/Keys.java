package dev.weir.bench.core;

import dev.weir.core.admission.Holding;
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

/** What a start costs with many keys of parallelism 1: it should not matter how many. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Keys {
    private static final RunLimits ONE_STEP = RunLimits.steps(1);
    private static final int WAITING_PER_KEY = 2;

    @Param({"10", "100000"})
    public int keys;

    private Crowd crowd = new Crowd();

    @Setup
    public void fill() {
        crowd = new Crowd();
        for (int round = 0; round <= WAITING_PER_KEY; round++) {
            for (int key = 0; key < keys; key++) {
                crowd.passTime(1);
                crowd.readyAlone(ONE_STEP, specOf(key));
            }
        }
        crowd.pass();
    }

    private static TicketSpec specOf(int key) {
        return Crowd.spec(Need.parallelism(new LimitId.Key("customer-" + key), 1));
    }

    @Benchmark
    public int startOfOneKey() {
        crowd.passTime(1);
        Holding ended = crowd.finishOldest();
        crowd.readyAlone(ONE_STEP, ended.spec());
        return crowd.pass();
    }
}
