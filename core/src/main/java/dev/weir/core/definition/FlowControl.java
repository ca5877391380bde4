package dev.weir.core.definition;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key and the limits that all who name it share, across runs.
 *
 * @param key the key, rendered when a step becomes ready
 * @param parallelism how much weight may be held at once; absent = unlimited
 * @param rate how much cost may start in a window; absent = unlimited
 * @param weight what a step holds of the parallelism while it runs
 * @param cost what a start uses of the rate
 */
public record FlowControl(
        Template key,
        @Nullable Integer parallelism,
        @Nullable Rate rate,
        int weight,
        int cost) {
    public FlowControl {
        Require.key("key", key);
        Require.positive("parallelism", parallelism);
        Require.positive("weight", weight);
        Require.positive("cost", cost);
        if (parallelism == null && rate == null) {
            throw new InvalidDefinition("key", "at least one limit beside it: parallelism or rate", "neither");
        }
        if (parallelism != null && weight > parallelism) {
            throw new InvalidDefinition("weight", "at most the parallelism of " + parallelism, String.valueOf(weight));
        }
        if (rate != null && cost > rate.count()) {
            throw new InvalidDefinition("cost", "at most the rate of " + rate.count(), String.valueOf(cost));
        }
    }

    /** The key for one step. */
    public String keyIn(Scope scope) {
        return Require.renderedKey(key, scope);
    }

    public static FlowControl parallelism(String key, int parallelism) {
        return new FlowControl(Template.of(key), parallelism, null, 1, 1);
    }

    public static FlowControl rate(String key, Rate rate) {
        return new FlowControl(Template.of(key), null, rate, 1, 1);
    }

    /** A list names every key once: twice the same key in one step would count it twice. */
    public static List<FlowControl> distinct(List<FlowControl> list) {
        Require.atMost("flow_control", list, Bounds.FLOW_CONTROLS_MAX);
        for (int i = 0; i < list.size(); i++) {
            for (int before = 0; before < i; before++) {
                if (list.get(before).key.equals(list.get(i).key)) {
                    String found = Require.quoted(list.get(i).key.source().stringValue()) + " twice";
                    throw new InvalidDefinition("flow_control/" + i + "/key", "a key only once in a list", found);
                }
            }
        }
        return List.copyOf(list);
    }
}
