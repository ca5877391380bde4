package dev.weir.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The code that does the work of a module. */
@FunctionalInterface
public interface Handler {
    /**
     * Carries out a step and returns its output; null is a valid output. Any exception means a failed attempt,
     * which is retried as the workflow says, except for the exceptions declared in this interface.
     */
    @Nullable
    JsonNode handle(Job job) throws Exception;

    /** An expected failure. Its message says everything, so its stack trace is not logged. */
    final class Failed extends Exception {
        private static final long serialVersionUID = 1;
        private final transient @Nullable Duration retryAfter;

        public Failed(String message) {
            this(message, null);
        }

        /**
         * Creates a failure that asks for a pause, for example because a called service sent Retry-After.
         *
         * @param retryAfter the time for which the step's keys are held, for every step that uses them
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

    /** A failure that a retry cannot fix. */
    final class Permanent extends Exception {
        private static final long serialVersionUID = 1;

        public Permanent(String message) {
            super(message);
        }
    }

    /** A request to run the step again later. It does not count as a failure. */
    final class Reschedule extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Duration delay;

        public Reschedule(Duration delay) {
            super("rescheduled after " + delay);
            this.delay = delay;
        }

        Duration delay() {
            return delay;
        }
    }

    /** A request for a person's input, without which the step cannot continue. */
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

    /** A report that there was nothing to do. */
    final class NothingToDo extends Exception {
        private static final long serialVersionUID = 1;

        public NothingToDo() {
            super("nothing to do");
        }
    }
}
