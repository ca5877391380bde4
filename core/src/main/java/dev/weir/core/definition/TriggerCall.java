package dev.weir.core.definition;

import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.json.CompactNodes;
import dev.weir.core.json.JsonPointers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One HTTP call that is started without a definition. It is the input of a run of Weir's own workflow {@value
 * #WORKFLOW_NAME}. All of it is data: no text in it is ever searched for expressions, so callers may put the texts of
 * their own users into it. Only a header can name a secret, in a form of its own.
 *
 * @param headers the headers by name
 * @param body JSON, or text that is sent unchanged; absent = no body
 * @param attempts the retries and the timeout of the call
 */
public record TriggerCall(
        Action.Method method,
        String url,
        SortedMap<String, Header> headers,
        @Nullable JsonNode body,
        Step.Attempts attempts) {
    /** The workflow of which every triggered call is a run. */
    public static final String WORKFLOW_NAME = "weir.trigger";

    /** The id of its only step. */
    public static final String STEP = "call";

    /** The most headers of one call. */
    public static final int HEADERS_MAX = 100;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The value of a header. */
    public sealed interface Header {
        /** Plain text. */
        record Text(String value) implements Header {}

        /**
         * The value of a secret, which is inserted when the request is sent.
         *
         * @param prefix text before the secret, such as {@code Bearer} and a space
         */
        record Secret(String prefix, String name) implements Header {}
    }

    public TriggerCall {
        if (!url.startsWith("https://") && !url.startsWith("http://")) {
            String expected = "an address that begins with https:// or http://";
            throw new InvalidDefinition("url", expected, FieldChecks.quoted(url));
        }
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        if (headers.size() > HEADERS_MAX) {
            throw new InvalidDefinition("headers", "at most " + HEADERS_MAX, String.valueOf(headers.size()));
        }
        if (body != null && !method.takesBody()) {
            throw new InvalidDefinition("body", "a method that takes a body, such as POST", method.name());
        }
    }

    /** The definition of {@value #WORKFLOW_NAME} and its hash, created at the first use. */
    private static final class Definition {
        static final Workflow WORKFLOW = Workflow.named(WORKFLOW_NAME)
                .description("One HTTP call without a definition; the run's input describes it.")
                .step(STEP)
                .action(new Action.TriggeredCall())
                .build();
        static final String HASH = WORKFLOW.contentHash();
    }

    /** The workflow of which every triggered call is a run. */
    public static Workflow workflow() {
        return Definition.WORKFLOW;
    }

    /** The content hash of that workflow. */
    public static String workflowHash() {
        return Definition.HASH;
    }

    /** Returns the call as the input of its run. {@link #ofInput} reads it back. */
    public ObjectNode toInput() {
        ObjectNode input = NODES.objectNode().put("url", url).put("method", method.name());
        if (!headers.isEmpty()) {
            ObjectNode all = input.putObject("headers");
            headers.forEach((name, header) -> {
                switch (header) {
                    case Header.Text text -> all.put(name, text.value());
                    case Header.Secret secret ->
                        all.putObject(name).put("prefix", secret.prefix()).put("secret", secret.name());
                }
            });
        }
        if (body != null) {
            input.set("body", body);
        }
        RetryPolicy retry = attempts.retry();
        input.putObject("retry")
                .put("max_attempts", retry.maxAttempts())
                .put("delay", DurationText.format(retry.delay()))
                .put("backoff", retry.backoff().name().toLowerCase(Locale.ROOT))
                .put("max_delay", DurationText.format(retry.maxDelay()))
                .put("jitter", retry.jitter())
                .put("max_rescheduled", retry.maxRescheduled());
        return input.put("timeout", DurationText.format(attempts.timeout()));
    }

    /** Reads the input of a run. Throws {@link InvalidDefinition} if it describes no call. */
    public static TriggerCall ofInput(JsonNode input) {
        return new TriggerCall(
                readMethod(input.path("method").asString("")),
                input.path("url").asString(""),
                readHeaders(input.path("headers")),
                input.get("body"),
                attemptsOf(input));
    }

    private static Action.Method readMethod(String text) {
        for (Action.Method method : Action.Method.values()) {
            if (method.name().equals(text)) {
                return method;
            }
        }
        throw new InvalidDefinition("method", "an HTTP method", FieldChecks.quoted(text));
    }

    private static SortedMap<String, Header> readHeaders(JsonNode json) {
        SortedMap<String, Header> headers = new TreeMap<>();
        for (Map.Entry<String, JsonNode> header : json.properties()) {
            JsonNode value = header.getValue();
            headers.put(
                    header.getKey(),
                    value.isObject()
                            ? new Header.Secret(
                                    value.path("prefix").asString(""),
                                    value.path("secret").asString(""))
                            : new Header.Text(value.asString("")));
        }
        return headers;
    }

    /** Reads the retries and the timeout from the input of a run, with defaults for what is absent. */
    public static Step.Attempts attemptsOf(JsonNode input) {
        RetryPolicy defaults = RetryPolicy.DEFAULT;
        JsonNode json = input.path("retry");
        boolean isFixed = json.path("backoff").asString("").equals("fixed");
        var retry = new RetryPolicy(
                json.path("max_attempts").asInt(defaults.maxAttempts()),
                duration(json, "delay", defaults.delay()),
                isFixed ? RetryPolicy.Backoff.FIXED : RetryPolicy.Backoff.EXPONENTIAL,
                duration(json, "max_delay", defaults.maxDelay()),
                json.path("jitter").asDouble(defaults.jitter()),
                json.path("max_rescheduled").asInt(defaults.maxRescheduled()));
        return new Step.Attempts(retry, duration(input, "timeout", Step.Attempts.DEFAULT_TIMEOUT));
    }

    private static Duration duration(JsonNode json, String field, Duration defaultValue) {
        return DurationText.parse(json.path(field).asString("")).orElse(defaultValue);
    }

    /** Returns the request for the worker that makes calls. It can be stored: it has only the names of secrets. */
    public RenderedTemplate toRequest() {
        ObjectNode request = CompactNodes.COMPACT.objectNode();
        request.put("method", method.name()).put("url", url);
        ObjectNode all = request.putObject("headers");
        List<RenderedTemplate.SecretText> secrets = new ArrayList<>();
        headers.forEach((name, header) -> {
            switch (header) {
                case Header.Text text -> all.put(name, text.value());
                case Header.Secret secret -> {
                    all.putNull(name);
                    secrets.add(new RenderedTemplate.SecretText(
                            "/headers/" + JsonPointers.escape(name),
                            List.of(
                                    new RenderedTemplate.Part(false, secret.prefix()),
                                    new RenderedTemplate.Part(true, secret.name()))));
                }
            }
        });
        if (body != null) {
            request.set("body", body);
        }
        return new RenderedTemplate(request, secrets);
    }
}
