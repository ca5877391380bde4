package dev.weir.core.life;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Explanation;
import dev.weir.core.limit.LimitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a step, item or run does not start now. */
public sealed interface Reason {
    /** Steps that it needs have not ended. */
    record Dependency(List<String> steps) implements Reason {
        public Dependency {
            steps = List.copyOf(steps);
        }
    }

    /** A person has to approve it. */
    record Gate() implements Reason {}

    /** It rests until a time. */
    record Timer(long until) implements Reason {}

    /**
     * A signal has to come.
     *
     * @param until when it fails without one
     */
    record Signal(@Nullable String name, long until) implements Reason {}

    /** The run that it has invoked has to end. */
    record Child(@Nullable String run) implements Reason {}

    /** Its run's input, or an earlier output, lacks something; a person has to mend that. */
    record MissingInput(@Nullable String lacks) implements Reason {}

    /** The output of a step, this one or one that it needs, does not fit; a person has to mend that. */
    record InvalidArtifact(String step, @Nullable String lacks) implements Reason {}

    /** It was put off by the one who has started it. */
    record Delayed(long until) implements Reason {}

    /** It failed, and an operator has to resume its run. */
    record Operator() implements Reason {}

    /** It rests between two tries. */
    record Backoff(long until, int attempts) implements Reason {}

    /** It waits for a place among the calls that are made at once. */
    record CallPlaces() implements Reason {}

    /** Its items are still being made; none starts before all are. */
    record MakingItems(int made, int total) implements Reason {}

    /** Its run is paused. */
    record Paused() implements Reason {}

    /** It is in flight already. */
    record AlreadyRunning(@Nullable String worker, long fence, long since) implements Reason {}

    /** A worker has asked for a person's input, which has not come or not been handed out yet. */
    record NeedsInput(boolean provided) implements Reason {}

    /**
     * The first thing that admission names.
     *
     * @param limit absent where it is no limit, as with a missing worker
     */
    record Held(@Nullable LimitId limit, Cause cause) implements Reason {}

    /** All that admission knows of one thing that refuses it. */
    record Blocked(Explanation.Blocker blocker, List<Holder> holders) implements Reason {
        public Blocked {
            holders = List.copyOf(holders);
        }
    }
}
