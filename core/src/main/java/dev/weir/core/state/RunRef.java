package dev.weir.core.state;

import dev.weir.core.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A live run, as the rows of a store identify it. It also carries notes of the store about where the run's rows may be,
 * which save statements that would find nothing.
 */
public final class RunRef {
    private final RunRequest request;
    private final long number;
    /** True if open steps may have rows separate from the run's. The store sets it. */
    private volatile boolean stepRows;

    /** True if claims may have rows of their own. The store sets it. */
    private volatile boolean claimRows;

    /** True if claims may be stored in the run's row, or on a page with claims of other runs. The store sets it. */
    private volatile boolean embeddedClaims;

    private RunRef(RunRequest request, long number, boolean hasRows) {
        this.request = request;
        this.number = number;
        this.stepRows = hasRows;
        this.claimRows = hasRows;
        this.embeddedClaims = hasRows;
    }

    /** Creates the reference of a run that is being accepted; its steps have no rows. */
    public static RunRef accepted(RunRequest request, long number) {
        return new RunRef(request, number, false);
    }

    /** Creates the reference of a run that was loaded; it is not known where its steps were found. */
    public static RunRef restored(RunRow row) {
        return new RunRef(row.request(), row.number(), true);
    }

    public String id() {
        return request.run();
    }

    /** The position in the order in which the organisation accepted its runs. */
    public long number() {
        return number;
    }

    /** The plan, which defines the steps of the run. */
    public Plan plan() {
        return request.plan();
    }

    /** True if open steps may have rows of their own. A store may write steps with their run instead. */
    public boolean mayHaveStepRows() {
        return stepRows;
    }

    /** Notes that steps may have rows of their own from now on. */
    public void markStepRows() {
        stepRows = true;
    }

    /** True if claims may have rows of their own. */
    public boolean mayHaveClaimRows() {
        return claimRows;
    }

    /** Notes that claims may have rows of their own from now on. */
    public void markClaimRows() {
        claimRows = true;
    }

    /** True if claims may be stored in the run's row, or on a page with claims of other runs. */
    public boolean mayHaveEmbeddedClaims() {
        return embeddedClaims;
    }

    /** Notes that claims may be stored so from now on. */
    public void markEmbeddedClaims() {
        embeddedClaims = true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunRef ref && number == ref.number && id().equals(ref.id());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    @Override
    public String toString() {
        return "run " + id();
    }
}
