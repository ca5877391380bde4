package dev.weir.core.reading;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads limits of all kinds. */
final class LimitsReader {
    private LimitsReader() {}

    static RunLimits runLimits(FieldReader root) {
        FieldReader runtime = root.object("runtime");
        Integer maxParallel = runtime == null ? null : runtime.whole("max_parallel");
        Duration interval = runtime == null ? null : runtime.duration("tick_interval");
        Integer concurrent = root.whole("max_concurrent_steps");
        Integer perTick = root.whole("max_steps_per_tick");
        return root.make(
                RunLimits.NONE,
                () -> new RunLimits(
                        concurrent,
                        perTick,
                        maxParallel,
                        interval == null ? RunLimits.DEFAULT_TICK_INTERVAL : interval));
    }

    static WorkflowLimits workflowLimits(FieldReader root) {
        FieldReader limits = root.object("limits");
        if (limits == null) {
            return WorkflowLimits.NONE;
        }
        WorkflowLimits.PerKey perKey = perKey(limits);
        Integer runs = limits.whole("max_concurrent_runs");
        Integer perMinute = limits.whole("runs_per_minute");
        int depth = limits.whole("max_cascade_depth", WorkflowLimits.DEFAULT_CASCADE_DEPTH);
        return limits.make(WorkflowLimits.NONE, () -> new WorkflowLimits(runs, perMinute, perKey, depth));
    }

    private static WorkflowLimits.@Nullable PerKey perKey(FieldReader limits) {
        Template key = limits.template("run_key");
        Integer runs = limits.whole("max_concurrent_runs_per_key");
        Integer perMinute = limits.whole("runs_per_minute_per_key");
        return key == null ? null : limits.make(() -> new WorkflowLimits.PerKey(key, runs, perMinute));
    }

    /** Returns the keys, or null if the field is absent. In a step, absent and empty differ. */
    static @Nullable List<FlowControl> flowControl(FieldReader fields) {
        if (!fields.has("flow_control")) {
            return null;
        }
        return entries(fields.objects("flow_control"));
    }

    static List<FlowControl> entries(List<FieldReader> entries) {
        List<FlowControl> list = new ArrayList<>();
        for (FieldReader entry : entries) {
            FlowControl control = entry(entry);
            if (control != null) {
                list.add(control);
            }
        }
        return list;
    }

    private static @Nullable FlowControl entry(FieldReader entry) {
        Template key = entry.template("key");
        RateLimit rate = rate(entry);
        Integer parallelism = entry.whole("parallelism");
        int weight = entry.whole("weight", 1);
        int cost = entry.whole("cost", 1);
        boolean limitless = (entry.has("rate") && rate == null) || (entry.has("parallelism") && parallelism == null);
        if (key == null || limitless) {
            return null;
        }
        return entry.make(() -> new FlowControl(key, parallelism, rate, weight, cost));
    }

    private static @Nullable RateLimit rate(FieldReader entry) {
        Integer count = entry.whole("rate");
        Duration period = entry.period("period");
        RateLimit.Window window = entry.choice("window", RateLimit.Window.SLIDING);
        return count == null
                ? null
                : entry.make(() -> new RateLimit(count, period == null ? RateLimit.DEFAULT_PERIOD : period, window));
    }
}
