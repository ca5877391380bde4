package dev.weir.engine.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The result of a call. */
public sealed interface CallResult {
    /**
     * A response that becomes the step's output.
     *
     * @param output status, headers and body
     */
    record Answered(JsonNode output) implements CallResult {}

    /**
     * No response, or one that counts as a failure.
     *
     * @param permanent true if a retry would fail too
     * @param answered true if a response arrived; if not, the effect of the call is unknown
     * @param retryAfter time for which the server wants no more calls; absent if it did not say
     * @param status HTTP status of the response; absent if there was none
     */
    record Failed(
            String error,
            boolean permanent,
            boolean answered,
            @Nullable Duration retryAfter,
            @Nullable Integer status) implements CallResult {
        public Failed(String error, boolean permanent, boolean answered, @Nullable Duration retryAfter) {
            this(error, permanent, answered, retryAfter, null);
        }
    }

    /**
     * No call was made, because this node is at its limits. This is no failure of the call.
     *
     * @param delay time after which it may be made
     */
    record Deferred(Duration delay) implements CallResult {}
}
