package dev.weir.core.command;

import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.List;
import java.util.Optional;

/** Serves workers: their polls, claims and reports. */
public interface WorkControl extends RunLookup {
    /** Returns the live claims that a request was granted. */
    List<Assignment> claimsOf(String request);

    /** True if a poll of that request is open. */
    boolean isPolling(String request);

    /** Opens a poll, and registers the defaults that its worker sends for its modules. */
    void openPoll(ClaimWork poll, long now);

    /** Ends a poll. Returns false if it was not open. */
    boolean endPoll(String request, long now);

    /**
     * Claims chosen steps of a live run, as far as their limits admit them. It also registers the defaults that the
     * worker sends for its modules.
     */
    List<Assignment> claim(ClaimSteps request, long now);

    /** Returns the steps and items of a run that are in flight, oldest grant first. */
    List<UnitId> running(String run);

    /** Finds a step or item of a live run, as far as a report needs to know it. */
    Optional<UnitStatus> findUnit(UnitId unit);

    /**
     * Applies the report of the worker that has claimed a unit.
     *
     * @param nextEffect true if another attempt would get the next effect number
     */
    void report(UnitId unit, Update update, boolean nextEffect, long now);

    /** Finds the live claim of a step or item. */
    Optional<ClaimStatus> findClaim(UnitId unit);

    /** Extends the live claim of a unit by its lease, from now. */
    ClaimStatus extend(UnitId unit, long now);
}
