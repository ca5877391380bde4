package dev.weir.core.explain;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.TicketOwner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reason why a step, item or run does not start now. */
public sealed interface WaitReason {
    /** Needed steps have not ended. */
    record Dependency(List<String> steps) implements WaitReason {
        public Dependency {
            steps = List.copyOf(steps);
        }
    }

    /** A person has to approve the step. */
    record Gate() implements WaitReason {}

    /** The step sleeps until a time. */
    record Timer(long until) implements WaitReason {}

    /**
     * A signal has to come.
     *
     * @param until the time when the step fails without one
     */
    record Signal(@Nullable String name, long until) implements WaitReason {}

    /** The invoked run has to end. */
    record Child(@Nullable String run) implements WaitReason {}

    /** The run's input or an earlier output lacks something, and a person has to correct it. */
    record MissingInput(@Nullable String problem) implements WaitReason {}

    /** The output of this step, or of one that it needs, does not fit its schema, and a person has to correct it. */
    record InvalidArtifact(String step, @Nullable String problem) implements WaitReason {}

    /** The caller delayed the start. */
    record Delayed(long until) implements WaitReason {}

    /** The step failed, and an operator has to resume its run. */
    record Operator() implements WaitReason {}

    /** The unit waits between two attempts. */
    record Backoff(long until, int attempts) implements WaitReason {}

    /** The call waits until fewer calls are in progress. */
    record CallCapacity() implements WaitReason {}

    /**
     * The condition and the input are still to be rendered, because one decision was not enough for all steps of the
     * run.
     */
    record Rendering() implements WaitReason {}

    /** The items are still being created. None starts before all exist. */
    record MakingItems(int created, int total) implements WaitReason {}

    /** The organisation is suspended. */
    record Suspended() implements WaitReason {}

    /** The run is paused. */
    record Paused() implements WaitReason {}

    /** The unit is already in flight. */
    record AlreadyRunning(@Nullable String worker, long fence, long since) implements WaitReason {}

    /** A worker asked for a person's input, which has not come or has not been handed to a worker yet. */
    record NeedsInput(boolean provided) implements WaitReason {}

    /**
     * The first hold that admission names.
     *
     * @param limit absent if the cause is not a limit, such as a missing worker
     */
    record Held(@Nullable LimitId limit, HoldCause cause) implements WaitReason {}

    /** One hold, with everything that admission knows about it. */
    record Blocked(Explanation.Blocker blocker, List<TicketOwner> holders) implements WaitReason {
        public Blocked {
            holders = List.copyOf(holders);
        }
    }
}
