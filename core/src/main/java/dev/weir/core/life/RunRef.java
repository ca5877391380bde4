package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/** A run that lives, as the rows of a store name it. */
public final class RunRef {
    private final StartRun request;
    private final long number;
    /** A note of the store's: whether steps that are open may have rows apart from the run's. */
    private volatile boolean stepsApart;

    /** Another: whether claims of it may have rows of their own. */
    private volatile boolean claimsApart;

    /** And whether some may have been written with it, or with those of other runs. */
    private volatile boolean claimsWithin;

    private RunRef(StartRun request, long number, boolean hasRows) {
        this.request = request;
        this.number = number;
        this.stepsApart = hasRows;
        this.claimsApart = hasRows;
        this.claimsWithin = hasRows;
    }

    /** A run that is being accepted: there are no rows of its steps. */
    static RunRef accepted(StartRun request, long number) {
        return new RunRef(request, number, false);
    }

    /** A run that was read: where its steps were found is not known. */
    static RunRef restored(RunRow row) {
        return new RunRef(row.request(), row.number(), true);
    }

    public String id() {
        return request.run();
    }

    /** Orders runs of an organisation by when they were accepted. */
    public long number() {
        return number;
    }

    /** What tells the steps of the run. */
    public Plan plan() {
        return request.plan();
    }

    /** Whether steps of it that are open may have rows of their own; a store may write steps with their run instead. */
    public boolean mayHaveStepsApart() {
        return stepsApart;
    }

    /** Notes that steps of it may have rows of their own from now on. */
    public void hasStepsApart() {
        stepsApart = true;
    }

    /** Whether claims of it may have rows of their own. */
    public boolean mayHaveClaimsApart() {
        return claimsApart;
    }

    /** Notes that claims of it may have rows of their own from now on. */
    public void hasClaimsApart() {
        claimsApart = true;
    }

    /** Whether claims of it may have been written with the run, or with those of other runs. */
    public boolean mayHaveClaimsWithin() {
        return claimsWithin;
    }

    /** Notes that claims of it may have been written so from now on. */
    public void hasClaimsWithin() {
        claimsWithin = true;
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
