package dev.weir.core.life;

import static dev.weir.core.life.World.step;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.Plan;
import java.time.Duration;

/** Runs of one step under one key, for tests of operators' commands on keys. */
final class KeyWorld {
    static final LimitId.Key KEY = new LimitId.Key("k");

    final World world = new World();

    static KeyWorld parallelism(int most, int runs) {
        return new KeyWorld(FlowControl.parallelism("k", most), runs);
    }

    static KeyWorld rate(int count, Duration period, int runs) {
        return new KeyWorld(FlowControl.rate("k", new RateLimit(count, period, RateLimit.Window.SLIDING)), runs);
    }

    private KeyWorld(FlowControl control, int runs) {
        Plan plan = World.plan(step("a").keys(control));
        for (int i = 0; i < runs; i++) {
            world.start("r" + i, plan);
        }
    }
}
