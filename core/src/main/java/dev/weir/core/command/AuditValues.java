package dev.weir.core.command;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.TokenRow;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON in which the audit shows the states of targets. People read it, so it has words and ISO-8601 times. */
final class AuditValues {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final long NANOS_PER_MICRO = 1_000;

    private AuditValues() {}

    /** Shows the state of a run, and the end that it is on its way to. */
    static @Nullable ObjectNode run(RunLookup runs, String run) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            EndedRun ended = runs.findEnded(run).orElse(null);
            return ended == null ? null : NODES.objectNode().put("state", lower(ended.state()));
        }
        ObjectNode json = NODES.objectNode().put("state", lower(found.state()));
        RunEnding ending = found.ending();
        if (ending != null) {
            json.putObject("ending")
                    .put("as", lower(ending.finalState()))
                    .put("policy", lower(ending.policy()))
                    .put("reason", ending.reason());
        }
        return json;
    }

    /** Shows the state of a step, and what people have decided about it. */
    static ObjectNode step(StepRow step) {
        ObjectNode json = NODES.objectNode().put("state", lower(step.state()));
        StepRow.Approval approval = step.detail().approval();
        if (approval != null) {
            json.putObject("approval")
                    .put("approved", approval.approved())
                    .put("by", approval.by())
                    .put("note", approval.note());
        }
        if (step.detail().skipping()) {
            json.put("skipping", true);
        }
        if (step.detail().runNow()) {
            json.put("run_now", true);
        }
        if (step.detail().provided() != null) {
            json.set("provided", step.detail().provided());
        }
        return json;
    }

    static ObjectNode overrides(@Nullable RunOverrides overrides) {
        ObjectNode json = NODES.objectNode();
        if (overrides != null) {
            put(json, "max_concurrent_steps", overrides.maxSteps(), NODES::numberNode);
            put(json, "max_parallel", overrides.maxSlots(), NODES::numberNode);
        }
        return json;
    }

    static ObjectNode pin(Pin pin) {
        ObjectNode json = NODES.objectNode();
        put(json, "parallelism", pin.parallelism(), NODES::numberNode);
        put(json, "rate", pin.rate(), AuditValues::rate);
        return json;
    }

    static ObjectNode runLimits(RunLimitConfig config) {
        ObjectNode json = NODES.objectNode();
        put(json, "max_concurrent_runs", config.maxConcurrentRuns(), NODES::numberNode);
        put(json, "runs_per_minute", config.runsPerMinute(), NODES::numberNode);
        put(json, "max_concurrent_runs_per_key", config.maxConcurrentRunsPerKey(), NODES::numberNode);
        put(json, "max_cascade_depth", config.maxCascadeDepth(), NODES::numberNode);
        put(json, "max_queued_runs", config.maxQueuedRuns(), NODES::numberNode);
        put(json, "default_debounce", config.defaultDebounce(), AuditValues::duration);
        put(json, "notice_oldest_waiter", config.noticeOldestWaiter(), AuditValues::duration);
        put(json, "notice_dead_letters", config.noticeDeadLetters(), NODES::numberNode);
        return json;
    }

    private static JsonNode duration(long micros) {
        return NODES.stringNode(Duration.ofNanos(micros * NANOS_PER_MICRO).toString());
    }

    private static ObjectNode rate(Rate rate) {
        return NODES.objectNode()
                .put("count", rate.count())
                .put("period", Duration.ofNanos(rate.period() * NANOS_PER_MICRO).toString())
                .put("window", lower(rate.window()));
    }

    private static <T> void put(
            ObjectNode json, String field, OperatorSetting<T> setting, Function<T, JsonNode> value) {
        T lasting = setting.lasting();
        if (lasting != null) {
            json.set(field, value.apply(lasting));
        }
        T temporary = setting.temporary();
        if (temporary != null) {
            ObjectNode limited = json.putObject(field + "_for_a_time");
            limited.set("value", value.apply(temporary));
            limited.put("until", time(setting.until()));
        }
    }

    static ObjectNode token(TokenRow token) {
        ObjectNode json = NODES.objectNode().put("role", token.rights().role().word());
        ArrayNode scopes = json.putArray("scopes");
        token.rights().scopes().forEach(scope -> scopes.add(scope.word()));
        return json.put("administrator", token.rights().administrator())
                .put("expires_at", time(token.expiresAt()))
                .put("fingerprint", token.hash().substring(0, TokenCommand.FINGERPRINT_CHARS));
    }

    /** The time in ISO-8601; null if it never comes. */
    static @Nullable String time(long at) {
        return at == Moment.NEVER ? null : Moment.toInstant(at).toString();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
