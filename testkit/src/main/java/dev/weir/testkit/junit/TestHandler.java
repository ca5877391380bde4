package dev.weir.testkit.junit;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of a module in a test. The returned value becomes the output: anything that can be written as JSON, or
 * an {@link dev.weir.core.state.Update} to report something else, such as a request for input. An exception fails the
 * attempt.
 */
@FunctionalInterface
public interface TestHandler {
    @Nullable
    Object handle(TestAttempt work) throws Exception;

    /** Returns a handler that always gives this output. */
    static TestHandler returning(@Nullable Object output) {
        return work -> output;
    }

    /**
     * Returns a handler that first fails the given number of attempts of each step or item, and then does the same as
     * this one.
     */
    default TestHandler afterFailing(int times) {
        return work -> {
            if (work.attempt() <= times) {
                throw new IOException("attempt " + work.attempt() + " fails on purpose");
            }
            return handle(work);
        };
    }

    /** Returns a handler that does the same as this one after the given virtual time. */
    default TestHandler taking(Duration time) {
        return work -> {
            work.sleep(time);
            return handle(work);
        };
    }
}
