package dev.weir.core.command;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changes runs. Except for {@link #accept}, the run of each call must be live. */
public interface RunControl extends RunLookup {
    /**
     * Accepts a new run, which then waits for the run limits. Throws {@link dev.weir.core.expression.RenderFailed} if
     * its {@code run_key} cannot be rendered.
     */
    RunState accept(RunRequest request, long now);

    /** Returns the reason why no new run of a workflow may be accepted now, if there is one. */
    Optional<String> findStartRefusal(String workflow);

    /**
     * Finds a limit on runs whose waiting runs have reached their ceiling, if the run would have to wait with them.
     * Throws {@link dev.weir.core.expression.RenderFailed} if its {@code run_key} cannot be rendered.
     */
    Optional<FullQueue> findFullQueue(RunRequest request, long now);

    /** Returns the longest chain of parent runs and events in force for a workflow. */
    int maxCascadeDepth(Workflow workflow, long now);

    /** Takes over results of an earlier run, from the first steps on, as far as they go without a gap. */
    void takeOverResults(String run, Map<String, StepRow> results, long now);

    /** Cancels a run, started or not. Returns its state afterwards. */
    RunState cancel(String run, RunEnding ending, long now);

    void pause(String run, long now);

    /** Resumes a paused run. Failed steps that waited for the operator get another attempt. */
    void resume(String run, long now);

    /** Sets the time by which a started run must have ended. */
    void setDeadline(String run, long until, long now);

    /** Replaces the operator's values for the run's own limits; null = none. */
    void override(String run, @Nullable RunOverrides overrides, long now);

    /** True if a step of the run waits for missing input. */
    boolean isMissingInput(String run);

    /** True if items of a step are still being created from the run's input and results. */
    boolean isCreatingItems(String run);

    /**
     * Replaces the input of a run. Throws {@link dev.weir.core.expression.RenderFailed}, and changes nothing, if the
     * run has not started and its {@code run_key} cannot be rendered from this input.
     */
    void amendInput(String run, JsonNode input, long now);

    /** Delivers a signal to the step that has waited for it longest, or keeps it until a step waits for it. */
    SendSignal.Answer send(SendSignal signal, long now);
}
