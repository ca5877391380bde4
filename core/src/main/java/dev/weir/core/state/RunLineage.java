package dev.weir.core.state;

import dev.weir.core.json.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * The runs and events that led to a run.
 *
 * @param retryOf the run that it retries
 * @param parent the step or item that invoked it
 * @param root the run with which the chain of runs and events began; absent = this one
 * @param depth the number of runs, and of events that runs emitted, before it in that chain
 * @param startedBy the actor that started it; absent if a step invoked it, or if it is not known
 * @param chain the runs and events before it, and their shared id
 */
public record RunLineage(
        @Nullable String retryOf,
        @Nullable UnitId parent,
        @Nullable String root,
        int depth,
        @Nullable String startedBy,
        CausalChain chain) {
    public static final RunLineage NONE = new RunLineage(null, null, null, 0);

    public RunLineage {
        if (depth < 0) {
            throw new IllegalArgumentException("a depth must not be negative, found " + depth);
        }
    }

    public RunLineage(@Nullable String retryOf, @Nullable UnitId parent, @Nullable String root, int depth) {
        this(retryOf, parent, root, depth, null, CausalChain.NONE);
    }

    /** Returns the lineage of a run that an actor started by itself. */
    public static RunLineage startedBy(String actor) {
        return NONE.withStartedBy(actor);
    }

    /** True if no run, step or event led to the run. */
    public boolean isPlain() {
        return parent == null && root == null && retryOf == null && depth == 0 && chain.equals(CausalChain.NONE);
    }

    /** Adds the lineage to a fingerprint, except the actor: the same start by somebody else is a repeat. */
    long addTo(long print) {
        long all = Fingerprint.with(Fingerprint.with(print, retryOf), root);
        if (parent != null) {
            all = Fingerprint.with(Fingerprint.with(all, parent.run()), parent.step());
            all = Fingerprint.with(all, parent.item());
        }
        all = Fingerprint.with(all, depth);
        return chain.correlationId() == null ? all : Fingerprint.with(all, chain.correlationId());
    }

    /** Returns the id that a run or event of this lineage shares with all that it causes. */
    public String correlationId(String ownId) {
        String shared = chain.correlationId();
        return shared != null ? shared : root != null ? root : ownId;
    }

    public RunLineage withRetryOf(String run) {
        return new RunLineage(run, null, root, depth, startedBy, chain);
    }

    public RunLineage withStartedBy(@Nullable String actor) {
        return new RunLineage(retryOf, parent, root, depth, actor, chain);
    }

    public RunLineage withChain(CausalChain newChain) {
        return new RunLineage(retryOf, parent, root, depth, startedBy, newChain);
    }
}
