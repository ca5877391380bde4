package dev.weir.core.limit;

/** Whose limit it is. */
public sealed interface LimitId {
    /** A limit that tickets of several runs share. */
    sealed interface Shared extends LimitId, Comparable<Shared> {
        /** One string for every shared limit of an organisation; different limits never have the same. */
        String text();

        @Override
        default int compareTo(Shared other) {
            return text().compareTo(other.text());
        }
    }

    /** A flow-control key. */
    record Key(String name) implements Shared {
        @Override
        public String text() {
            return "key:" + name;
        }
    }

    /** The concurrent runs, and runs per minute, of a workflow. */
    record WorkflowRuns(String workflow) implements Shared {
        @Override
        public String text() {
            return "workflow_runs:" + workflow;
        }
    }

    /** The concurrent runs of a workflow that have one {@code run_key}. */
    record RunKey(String workflow, String key) implements Shared {
        @Override
        public String text() {
            return "run_key:" + workflow.length() + ":" + workflow + ":" + key;
        }
    }

    /** The concurrent runs, and runs per minute, of the organisation. */
    record OrgRuns() implements Shared {
        @Override
        public String text() {
            return "org_runs";
        }
    }

    /** A limit within one run. */
    enum Local implements LimitId {
        /** The run as a whole, which can be paused. */
        RUN,
        /** {@code max_concurrent_steps}. */
        RUN_STEPS,
        /** {@code runtime.max_parallel}, counted in slots. */
        RUN_SLOTS,
        /** An {@code exclusive} step runs alone in its run. */
        RUN_EXCLUSIVE,
        /** {@code max_steps_per_tick}. */
        RUN_TICK,
        /** {@code concurrency} of a {@code with_items} step. */
        FAN_OUT
    }
}
