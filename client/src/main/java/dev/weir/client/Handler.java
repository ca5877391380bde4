package dev.weir.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Does the work of a module. */
@FunctionalInterface
public interface Handler {
    /**
     * Does a step, and gives its output; null is an output too. Whatever it throws is a failed try, and tried again as
     * the workflow says, save for what is named here.
     */
    @Nullable
    JsonNode handle(Job job) throws Exception;

    /** A failure that was foreseen: its message says all, so its trace is not logged. */
    final class Failed extends Exception {
        private static final long serialVersionUID = 1;
        private final transient @Nullable Duration retryAfter;

        public Failed(String message) {
            this(message, null);
        }

        /**
         * A failure because the one that was called wants to be left alone for a while, as Retry-After says.
         *
         * @param retryAfter for that long the keys of the step are held, for all who use them
         */
        public Failed(String message, @Nullable Duration retryAfter) {
            super(message);
            this.retryAfter = retryAfter;
        }

        @Nullable
        Duration retryAfter() {
            return retryAfter;
        }
    }

    /** A failure that no other try would mend. */
    final class Permanent extends Exception {
        private static final long serialVersionUID = 1;

        public Permanent(String message) {
            super(message);
        }
    }

    /** No failure: the step is to be tried again later. */
    final class Reschedule extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Duration delay;

        public Reschedule(Duration delay) {
            super("put off for " + delay);
            this.delay = delay;
        }

        Duration delay() {
            return delay;
        }
    }

    /** The step cannot go on without a person's input. */
    final class NeedsInput extends Exception {
        private static final long serialVersionUID = 1;
        private final transient JsonNode prompt;

        public NeedsInput(JsonNode prompt) {
            super("needs input");
            this.prompt = prompt;
        }

        JsonNode prompt() {
            return prompt;
        }
    }

    /** There was nothing to do. */
    final class NothingToDo extends Exception {
        private static final long serialVersionUID = 1;

        public NothingToDo() {
            super("nothing to do");
        }
    }
}
