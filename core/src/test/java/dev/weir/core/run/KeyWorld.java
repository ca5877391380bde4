package dev.weir.core.run;

import static dev.weir.core.run.World.step;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.Plan;
import java.time.Duration;

/** Runs of one step under one key, for tests of operators' commands on keys. */
public final class KeyWorld {
    public static final LimitId.Key KEY = new LimitId.Key("k");

    public final World world = new World();

    public static KeyWorld parallelism(int max, int runs) {
        return new KeyWorld(FlowControl.parallelism("k", max), runs);
    }

    public static KeyWorld rate(int count, Duration period, int runs) {
        return new KeyWorld(FlowControl.rate("k", new RateLimit(count, period, RateLimit.Window.SLIDING)), runs);
    }

    private KeyWorld(FlowControl control, int runs) {
        Plan plan = World.plan(step("a").keys(control));
        for (int i = 0; i < runs; i++) {
            world.start("r" + i, plan);
        }
    }
}
