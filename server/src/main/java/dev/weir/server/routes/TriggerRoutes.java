package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Triggers;
import dev.weir.api.Triggers.RetryBlock;
import dev.weir.api.Triggers.TriggerRequest;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.DefinitionProblem;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.expression.Template;
import dev.weir.core.json.JsonPointers;
import dev.weir.core.state.Permission;
import dev.weir.engine.call.CallChecks;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.TriggeredStart;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The route that runs one HTTP call, or one workflow, under limits that the caller chooses. */
final class TriggerRoutes {
    private final EngineGateway engine;

    TriggerRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/trigger", Permission.START, this::trigger);
    }

    private Response trigger(Request request) throws Exception {
        TriggerRequest body = request.allowQueries().body(TriggerRequest.class);
        Optional<String> key = request.header("Idempotency-Key");
        var start = new StartRunRequest(
                body.workflow() == null ? Triggers.WORKFLOW : body.workflow(),
                body.id(),
                body.input(),
                body.priority(),
                body.url() == null ? body.flowControl() : toLiteralKeys(body.flowControl()),
                body.labels(),
                body.delay(),
                null,
                body.correlationId());
        var requested = StartRoutes.toStartRequest(start, key.orElse(null), "");
        StartOutcome answer = body.url() == null
                ? engine.await(engine.weir().start(request.org(), requested, request.attribution()), Duration.ZERO)
                : engine.await(
                        engine.weir()
                                .trigger(
                                        request.org(),
                                        new TriggeredStart(
                                                requested.run(),
                                                toCall(body, body.url()),
                                                requested.priority(),
                                                requested.flowControl(),
                                                requested.labels(),
                                                requested.options(),
                                                requested.correlationId()),
                                        request.attribution()),
                        Duration.ZERO);
        return StartRoutes.respond(answer, start.workflow(), key.isPresent());
    }

    private static TriggerCall toCall(TriggerRequest body, String url) {
        CallChecks.findUrlProblem(url).ifPresent(problem -> {
            throw refused("/url", problem);
        });
        JsonNode content = body.body() == null || body.body().isNull() ? null : body.body();
        String defaultMethod = content == null ? "GET" : "POST";
        String method = body.method() == null ? defaultMethod : body.method();
        SortedMap<String, TriggerCall.Header> headers = headers(body.headers() == null ? Map.of() : body.headers());
        Step.Attempts attempts = attempts(body.retry(), body.timeout());
        return build("", () -> new TriggerCall(Action.Method.valueOf(method), url, headers, content, attempts));
    }

    private static SortedMap<String, TriggerCall.Header> headers(Map<String, JsonNode> sent) {
        SortedMap<String, TriggerCall.Header> headers = new TreeMap<>();
        sent.forEach((name, value) -> {
            String at = "/headers/" + JsonPointers.escape(name);
            String prefix = value.path("prefix").asString("");
            String text = value.isString() ? value.stringValue() : prefix;
            CallChecks.findHeaderProblem(name, text).ifPresent(problem -> {
                throw refused(at, problem);
            });
            if (text.contains("${{")) {
                String expected = "plain text, or {\"prefix\": …, \"secret\": NAME}; nothing in a trigger is evaluated";
                throw RefusedRequest.invalid(at, expected, "an expression");
            }
            headers.put(
                    name,
                    value.isString()
                            ? new TriggerCall.Header.Text(text)
                            : new TriggerCall.Header.Secret(
                                    prefix, value.path("secret").asString("")));
        });
        return headers;
    }

    private static Step.Attempts attempts(@Nullable RetryBlock sent, @Nullable String timeout) {
        RetryPolicy defaults = RetryPolicy.DEFAULT;
        RetryBlock retry = sent == null ? new RetryBlock(null, null, null, null, null) : sent;
        Duration delay = duration("/retry/delay", retry.delay(), defaults.delay());
        Duration defaultMax = delay.compareTo(defaults.maxDelay()) > 0 ? delay : defaults.maxDelay();
        RetryPolicy policy = build(
                "/retry",
                () -> new RetryPolicy(
                        retry.maxAttempts() == null ? defaults.maxAttempts() : retry.maxAttempts(),
                        delay,
                        "fixed".equals(retry.backoff()) ? RetryPolicy.Backoff.FIXED : RetryPolicy.Backoff.EXPONENTIAL,
                        duration("/retry/max_delay", retry.maxDelay(), defaultMax),
                        retry.jitter() == null ? defaults.jitter() : retry.jitter(),
                        defaults.maxRescheduled()));
        Duration longest = duration("/timeout", timeout, Step.Attempts.DEFAULT_TIMEOUT);
        return build("", () -> new Step.Attempts(policy, longest));
    }

    private static Duration duration(String pointer, @Nullable String text, Duration defaultValue) {
        return text == null ? defaultValue : Request.parseDuration(pointer, text);
    }

    /** Builds a value of core, and turns its refusal into one that names the position in the body. */
    private static <T> T build(String pointer, Supplier<T> builder) {
        try {
            return builder.get();
        } catch (InvalidDefinition e) {
            DefinitionProblem problem = e.problems().getFirst();
            throw RefusedRequest.invalid(pointer + problem.path(), problem.expected(), problem.found());
        }
    }

    private static RefusedRequest refused(String pointer, String message) {
        var finding = Problem.Finding.at(pointer, message);
        return RefusedRequest.of(Problem.Kind.INVALID_REQUEST, pointer + ": " + message, List.of(finding));
    }

    /** Returns a block whose keys are data: characters in them that look like an expression are not evaluated. */
    private static @Nullable JsonNode toLiteralKeys(@Nullable JsonNode block) {
        if (block instanceof ObjectNode object) {
            return toLiteralKey(object, "/flow_control");
        }
        if (!(block instanceof ArrayNode list)) {
            return block;
        }
        ArrayNode copy = list.arrayNode();
        for (JsonNode entry : list) {
            String at = "/flow_control/" + copy.size();
            copy.add(entry instanceof ObjectNode object ? toLiteralKey(object, at) : entry);
        }
        return copy;
    }

    private static JsonNode toLiteralKey(ObjectNode entry, String pointer) {
        JsonNode key = entry.get("key");
        if (key == null || !key.isString() || !key.stringValue().contains("${{")) {
            return entry;
        }
        int bytes = key.stringValue().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > DefinitionBounds.KEY_BYTES_MAX) {
            String expected = "at most " + DefinitionBounds.KEY_BYTES_MAX + " bytes";
            throw RefusedRequest.invalid(pointer + "/key", expected, bytes + " bytes");
        }
        return entry.deepCopy().set("key", Template.ofText(key.stringValue()).source());
    }
}
