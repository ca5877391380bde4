package dev.weir.core.command;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Changes steps and items. Except for {@link #findStep}, the unit of each call must belong to a live run. */
public interface StepControl {
    /** Finds a step or item of a live run. */
    Optional<StepRow> findStep(UnitId unit);

    /** True if an operator may skip the step. */
    boolean isOptional(UnitId step);

    /** True if the step undoes another one. */
    boolean isCompensation(UnitId unit);

    /** True if items of a step are still being created from the run's input and results. */
    boolean isCreatingItems(String run);

    /** True if another step waits for data that the output of this one should have. */
    boolean hasMissingOutputData(UnitId step);

    /** Describes why an output does not fit the step's schema; empty if it fits. */
    Optional<String> findMisfit(UnitId step, JsonNode output);

    /** Continues a step that waits at its gate. */
    void approve(UnitId step, StepRow.Approval approval, long now);

    /** Makes an approved step, of which nothing has started, wait at its gate again. */
    void revoke(UnitId step, StepRow.Approval revocation, long now);

    /** True if the step or item waits for its limits or for a worker. */
    boolean isQueued(UnitId unit);

    /** Puts a queued step or item ahead of all others that wait for the same limits or module. */
    void runNow(UnitId unit, long now);

    /** Skips a step that has not started. */
    void skip(UnitId step, long now);

    /** Fails a step or item for good, and returns its allocation. */
    void abandon(UnitId unit, Update.Failed error, long now);

    /** Gives a step or item that needs input the input. */
    void provideInput(UnitId unit, JsonNode input, long now);

    /** Completes a step whose own output did not fit its schema. */
    void completeWith(UnitId step, JsonNode output, long now);

    /**
     * Replaces the output of a step that has ended.
     *
     * @param by the person who amends it
     */
    void amendOutput(UnitId step, JsonNode output, String by, long now);
}
