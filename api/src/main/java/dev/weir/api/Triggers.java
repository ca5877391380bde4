package dev.weir.api;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Requests that run one HTTP call, or one workflow, under limits that the caller chooses. */
public final class Triggers {
    /** The workflow of which every triggered call is a run. */
    public static final String WORKFLOW = "weir.trigger";

    /** The HTTP methods of a call. */
    public static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");

    private static final int URL_CHARS_MAX = 8 * 1024;
    private static final int NAME_CHARS_MAX = 256;

    private Triggers() {}

    /**
     * A request for one HTTP call, or for a run of a workflow, under the caller's limits. Everything in a call is sent
     * as it is: no text is searched for expressions.
     *
     * @param url the address to call; either this or a workflow is required
     * @param method the HTTP method; absent = POST if there is a body, otherwise GET
     * @param headers texts, or objects such as {@code {"prefix": "Bearer ", "secret": "BILLING"}}, by name
     * @param body JSON, or a text that is sent unchanged
     * @param flowControl the keys that limit the call, or the steps of the workflow: an object or a list
     * @param retry the retries of a failed call
     * @param timeout the longest time of one attempt, such as 30s
     * @param delay the time before the run queues for its limits, such as 10m
     * @param id the id of the run; the same id with the same body returns the first run
     * @param workflow the workflow to start instead of a call
     * @param input the input of that workflow
     * @param correlationId the id that the run shares with what led to it; absent = its own id
     */
    public record TriggerRequest(
            @Nullable String url,
            @Nullable String method,
            @Nullable Map<String, JsonNode> headers,
            @Nullable JsonNode body,
            @JsonAlias("flowControl") @Nullable JsonNode flowControl,
            @Nullable RetryBlock retry,
            @Nullable String timeout,
            @Nullable String delay,
            @Nullable String id,
            @Nullable Integer priority,
            @Nullable Map<String, String> labels,
            @Nullable String workflow,
            @Nullable JsonNode input,
            @Nullable String correlationId) {
        public TriggerRequest {
            if ((url == null) == (workflow == null)) {
                throw new InvalidValue(
                        url == null ? "url" : "workflow", "a url or a workflow", url == null ? "neither" : "both");
            }
            if (url == null) {
                InvalidValue.text("workflow", workflow, 128);
                refuse("method", method, "a url");
                refuse("headers", headers, "a url");
                refuse("body", body, "a url");
                refuse("retry", retry, "a url");
                refuse("timeout", timeout, "a url");
            } else {
                InvalidValue.text("url", url, URL_CHARS_MAX);
                refuse("input", input, "a workflow");
            }
            method = method == null ? null : checkMethod(method);
            if (headers != null) {
                headers.forEach(TriggerRequest::checkHeader);
            }
            if (id != null) {
                InvalidValue.text("id", id, Starts.ID_CHARS_MAX);
            }
            if (priority != null && (priority < Starts.PRIORITY_MIN || priority > Starts.PRIORITY_MAX)) {
                String expected = "a number from " + Starts.PRIORITY_MIN + " to " + Starts.PRIORITY_MAX;
                throw new InvalidValue("priority", expected, String.valueOf(priority));
            }
            Starts.Labels.check(labels);
            if (correlationId != null) {
                InvalidValue.text("correlation_id", correlationId, Starts.ID_CHARS_MAX);
            }
        }

        /** Returns a call without a body. */
        public static TriggerRequest of(String url) {
            return new TriggerRequest(
                    url, null, null, null, null, null, null, null, null, null, null, null, null, null);
        }

        /** Returns a POST request with a body, which is JSON, or a text that is sent unchanged. */
        public static TriggerRequest post(String url, @Nullable Object body) {
            JsonNode json = WireJson.STRICT.valueToTree(body);
            return new TriggerRequest(
                    url, "POST", null, json, null, null, null, null, null, null, null, null, null, null);
        }

        /** Returns a start of a workflow. The input is any value that can be written as a JSON object. */
        public static TriggerRequest ofWorkflow(String workflow, @Nullable Object input) {
            JsonNode json = input == null ? null : WireJson.STRICT.valueToTree(input);
            return new TriggerRequest(
                    null, null, null, null, null, null, null, null, null, null, null, workflow, json, null);
        }

        public TriggerRequest withMethod(String value) {
            return new TriggerRequest(
                    url,
                    value,
                    headers,
                    body,
                    flowControl,
                    retry,
                    timeout,
                    delay,
                    id,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        /** Returns a copy with another body: JSON, or a text that is sent unchanged. */
        public TriggerRequest withBody(@Nullable JsonNode value) {
            return new TriggerRequest(
                    url,
                    method,
                    headers,
                    value,
                    flowControl,
                    retry,
                    timeout,
                    delay,
                    id,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        /** Returns a copy with one more header. */
        public TriggerRequest withHeader(String name, String value) {
            return withHeader(name, JsonNodeFactory.instance.stringNode(value));
        }

        /**
         * Returns a copy with a header that contains a secret. The node inserts its value when it sends the request.
         *
         * @param prefix text before the secret, such as {@code "Bearer "}
         */
        public TriggerRequest withSecretHeader(String name, String prefix, String secret) {
            ObjectNode value = JsonNodeFactory.instance.objectNode();
            return withHeader(name, value.put("prefix", prefix).put("secret", secret));
        }

        private TriggerRequest withHeader(String name, JsonNode value) {
            Map<String, JsonNode> all = new LinkedHashMap<>(headers == null ? Map.of() : headers);
            all.put(name, value);
            return new TriggerRequest(
                    url,
                    method,
                    all,
                    body,
                    flowControl,
                    retry,
                    timeout,
                    delay,
                    id,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        /** Returns a copy with these keys instead of any others. */
        public TriggerRequest withFlowControl(FlowControlBlock... blocks) {
            JsonNode list = WireJson.STRICT.valueToTree(blocks);
            return withFlowControl(list);
        }

        /** Returns a copy with this flow control: an object or a list, as in a workflow file. */
        public TriggerRequest withFlowControl(@Nullable JsonNode block) {
            return new TriggerRequest(
                    url,
                    method,
                    headers,
                    body,
                    block,
                    retry,
                    timeout,
                    delay,
                    id,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        /** Returns a copy with other retries, timeout and delay. */
        public TriggerRequest withTimes(
                @Nullable RetryBlock newRetry, @Nullable String newTimeout, @Nullable String newDelay) {
            return new TriggerRequest(
                    url,
                    method,
                    headers,
                    body,
                    flowControl,
                    newRetry,
                    newTimeout,
                    newDelay,
                    id,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        public TriggerRequest withId(String newId) {
            return new TriggerRequest(
                    url,
                    method,
                    headers,
                    body,
                    flowControl,
                    retry,
                    timeout,
                    delay,
                    newId,
                    priority,
                    labels,
                    workflow,
                    input,
                    correlationId);
        }

        /** Returns a copy that calls another address. */
        public TriggerRequest withUrl(String newUrl) {
            return new TriggerRequest(
                    newUrl,
                    method,
                    headers,
                    body,
                    flowControl,
                    retry,
                    timeout,
                    delay,
                    id,
                    priority,
                    labels,
                    null,
                    null,
                    correlationId);
        }

        private static void refuse(String field, @Nullable Object value, String only) {
            if (value != null) {
                throw new InvalidValue(field, "this field only together with " + only, "it without one");
            }
        }

        private static String checkMethod(String text) {
            String method = text.toUpperCase(Locale.ROOT);
            if (!METHODS.contains(method)) {
                throw new InvalidValue("method", "one of " + String.join(", ", METHODS), InvalidValue.quoted(text));
            }
            return method;
        }

        private static void checkHeader(String name, @Nullable JsonNode value) {
            String field = "headers/" + name.replace("~", "~0").replace("/", "~1");
            if (value != null && value.isObject()) {
                value.propertyNames().forEach(part -> {
                    if (!part.equals("secret") && !part.equals("prefix")) {
                        throw new InvalidValue(field, "secret and prefix", InvalidValue.quoted(part));
                    }
                });
                JsonNode prefix = value.get("prefix");
                if (prefix != null && !prefix.isString()) {
                    throw new InvalidValue(field + "/prefix", "a string", InvalidValue.quoted(prefix.toString()));
                }
                JsonNode secret = value.get("secret");
                InvalidValue.text(
                        field + "/secret",
                        secret != null && secret.isString() ? secret.stringValue() : null,
                        NAME_CHARS_MAX);
            } else if (value == null || !value.isString()) {
                String found = value == null ? "nothing" : InvalidValue.quoted(value.toString());
                throw new InvalidValue(field, "a string, or an object with secret and prefix", found);
            }
        }
    }

    /**
     * The retries of a failed call.
     *
     * @param maxAttempts the number of attempts, including the first; absent = 4
     * @param delay the pause before the first retry; absent = 1s
     * @param backoff fixed or exponential; absent = exponential
     * @param maxDelay the longest pause; absent = 1m
     * @param jitter the fraction by which a pause is randomly changed, 0 to 1; absent = 0.25
     */
    public record RetryBlock(
            @Nullable Integer maxAttempts,
            @Nullable String delay,
            @Nullable String backoff,
            @Nullable String maxDelay,
            @Nullable Double jitter) {
        public RetryBlock {
            if (backoff != null && !backoff.equals("fixed") && !backoff.equals("exponential")) {
                throw new InvalidValue("backoff", "fixed or exponential", InvalidValue.quoted(backoff));
            }
        }

        /** Returns retries with this number of attempts, including the first. */
        public static RetryBlock attempts(int count) {
            return new RetryBlock(count, null, null, null, null);
        }
    }

    /**
     * A key and the limits of all steps that name it.
     *
     * @param parallelism the number of steps that run at once; absent = unlimited
     * @param rate the number of starts per period; absent = unlimited
     * @param period the period of the rate, such as 1m; absent = 1s
     * @param window sliding or fixed; absent = sliding
     * @param weight the parallelism that a step takes; absent = 1
     * @param cost the share of the rate that a start uses; absent = 1
     */
    public record FlowControlBlock(
            String key,
            @Nullable Integer parallelism,
            @Nullable Integer rate,
            @Nullable String period,
            @Nullable String window,
            @Nullable Integer weight,
            @Nullable Integer cost) {
        public FlowControlBlock {
            key = Keys.checked(key);
        }

        public static FlowControlBlock parallelism(String key, int steps) {
            return new FlowControlBlock(key, steps, null, null, null, null, null);
        }

        public static FlowControlBlock rate(String key, int starts, String period) {
            return new FlowControlBlock(key, null, starts, period, null, null, null);
        }

        public FlowControlBlock withRate(int starts, String newPeriod) {
            return new FlowControlBlock(key, parallelism, starts, newPeriod, window, weight, cost);
        }
    }
}
