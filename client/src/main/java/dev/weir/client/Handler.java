package dev.weir.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The code that does the work of a module.
 *
 * @param <I> the type of the step's input: a record, a map, or whatever its JSON can be read as
 */
@FunctionalInterface
public interface Handler<I> {
    /**
     * Carries out a step and returns its output: a record, a map, a list, a plain value or null. It is stored as JSON.
     * Any exception means a failed attempt, which is retried as the workflow says, except for the exceptions declared
     * in this interface.
     *
     * @param input the input of the step
     * @param step the attempt: its ids, its log, whether it should stop
     */
    @Nullable
    Object handle(I input, Job step) throws Exception;

    /** The code of a module that needs no input, or reads it with {@link Job#input(Class)}. */
    @FunctionalInterface
    interface WithoutInput {
        @Nullable
        Object handle(Job step) throws Exception;
    }

    /** An expected failure, which is retried. Its message says everything, so its stack trace is not logged. */
    final class Failed extends RuntimeException {
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
    final class Permanent extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Permanent(String message) {
            super(message);
        }

        public Permanent(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** A request to run the step again later. It does not count as a failure. */
    final class Reschedule extends RuntimeException {
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
    final class NeedsInput extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Object prompt;

        /** @param prompt the question, such as a text or a record; it is stored as JSON */
        public NeedsInput(Object prompt) {
            super("needs input");
            this.prompt = prompt;
        }

        Object prompt() {
            return prompt;
        }
    }

    /** A report that there was nothing to do. */
    final class NothingToDo extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NothingToDo() {
            super("nothing to do");
        }
    }
}
