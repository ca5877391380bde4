package dev.weir.worker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of a worker's claims.
 *
 * @param <C> the type of a claim
 * @param <R> the type of a report
 */
public interface AttemptHandler<C, R> {
    /** Hears of an attempt before its work begins. */
    default void opened(Attempt<C> attempt) {}

    /**
     * Does the work and returns its report; null if there is nothing to report. A failure of the work is a report, not
     * an exception.
     */
    @Nullable
    R run(Attempt<C> attempt);

    /** Returns true for the report of a failure, which may be due to an interrupt of the worker itself. */
    boolean isFailure(R report);

    /**
     * Returns the report that replaces a refused one. The attempt fails permanently, because the next one would produce
     * the same report.
     */
    R refused(C claim, String reason);

    /** Hears of attempts whose reports are sent next. Afterwards their claims have ended. */
    default void beforeReports(List<Attempt<C>> attempts) throws InterruptedException {}

    /** Returns the name of a claim, for messages. */
    String describe(C claim);
}
