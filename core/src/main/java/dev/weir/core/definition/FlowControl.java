package dev.weir.core.definition;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import dev.weir.core.json.Fingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A key with the limits that all steps naming it share, across runs.
 *
 * @param key the key, rendered when a step becomes ready
 * @param parallelism the total weight in use at once; absent = unlimited
 * @param rate the total cost that may start in a window; absent = unlimited
 * @param weight the parallelism that a step takes while it runs
 * @param cost the share of the rate that a start uses
 */
public record FlowControl(
        Template key,
        @Nullable Integer parallelism,
        @Nullable RateLimit rate,
        int weight,
        int cost) {
    public FlowControl {
        FieldChecks.checkKey("key", key);
        FieldChecks.checkPositive("parallelism", parallelism);
        FieldChecks.checkPositive("weight", weight);
        FieldChecks.checkPositive("cost", cost);
        if (parallelism == null && rate == null) {
            throw new InvalidDefinition("key", "at least one limit for the key: parallelism or rate", "neither");
        }
        if (parallelism != null && weight > parallelism) {
            throw new InvalidDefinition("weight", "at most the parallelism of " + parallelism, String.valueOf(weight));
        }
        if (rate != null && cost > rate.count()) {
            throw new InvalidDefinition("cost", "at most the rate of " + rate.count(), String.valueOf(cost));
        }
    }

    /** Adds this key to a fingerprint. */
    public long addToFingerprint(long fingerprint) {
        long result = Fingerprint.with(fingerprint, key.source());
        result = Fingerprint.with(result, parallelism == null ? 0 : parallelism);
        result = rate == null ? Fingerprint.with(result, 0) : rate.addToFingerprint(result);
        return Fingerprint.with(Fingerprint.with(result, weight), cost);
    }

    /** Returns the key for one step. */
    public String renderKey(Scope scope) {
        return FieldChecks.renderKey(key, scope);
    }

    /** Returns the same limits for a key that was rendered: a text, number or boolean in which nothing is evaluated. */
    public FlowControl withRenderedKey(JsonNode value) {
        if (value.isContainer() || value.isNull() || value.isMissingNode()) {
            throw new InvalidDefinition("key", "text", FieldChecks.quoted(value.toString()));
        }
        String text = value.isString() ? value.stringValue() : value.toString();
        FieldChecks.checkKeyText("key", text);
        return new FlowControl(Template.ofText(text), parallelism, rate, weight, cost);
    }

    public static FlowControl parallelism(String key, int parallelism) {
        return new FlowControl(Template.of(key), parallelism, null, 1, 1);
    }

    public static FlowControl rate(String key, RateLimit rate) {
        return new FlowControl(Template.of(key), null, rate, 1, 1);
    }

    /** Checks that a list names every key once. A step that named a key twice would count twice. */
    public static List<FlowControl> requireDistinctKeys(List<FlowControl> list) {
        FieldChecks.checkSize("flow_control", list, DefinitionBounds.FLOW_CONTROLS_MAX);
        for (int i = 0; i < list.size(); i++) {
            for (int before = 0; before < i; before++) {
                if (list.get(before).key.equals(list.get(i).key)) {
                    String found = FieldChecks.quoted(list.get(i).key.source().stringValue()) + " twice";
                    throw new InvalidDefinition("flow_control/" + i + "/key", "each key only once in the list", found);
                }
            }
        }
        return List.copyOf(list);
    }
}
