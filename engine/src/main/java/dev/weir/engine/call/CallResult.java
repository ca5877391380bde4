package dev.weir.engine.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a call came to. */
public sealed interface CallResult {
    /**
     * An answer that is the step's output.
     *
     * @param output status, headers and body
     */
    record Answered(JsonNode output) implements CallResult {}

    /**
     * No answer, or one that asks for another try.
     *
     * @param permanent whether trying again would be in vain
     * @param retryAfter for how long the one who was called wants no more; absent if it did not say
     */
    record Failed(String error, boolean permanent, @Nullable Duration retryAfter) implements CallResult {}

    /**
     * Nobody was called, because this node is at its limits: no failure of the call.
     *
     * @param delay after which it may be tried again
     */
    record PutOff(Duration delay) implements CallResult {}
}
