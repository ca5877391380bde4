package dev.weir.testkit.junit;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of a module in a test. What it returns is the output: anything that can be written as JSON, or an
 * {@link dev.weir.core.life.Update} to report something else, such as that it needs input. What it throws is a failed try.
 */
@FunctionalInterface
public interface Handler {
    @Nullable
    Object handle(Work work) throws Exception;

    /** Always gives that output. */
    static Handler returning(@Nullable Object output) {
        return work -> output;
    }

    /** The same, after so many tries of each step or item have failed. */
    default Handler afterFailing(int times) {
        return work -> {
            if (work.attempt() <= times) {
                throw new IOException("try " + work.attempt() + " fails, as the test wants it");
            }
            return handle(work);
        };
    }

    /** The same, but it takes that long, in virtual time. */
    default Handler taking(Duration time) {
        return work -> {
            work.sleep(time);
            return handle(work);
        };
    }
}
