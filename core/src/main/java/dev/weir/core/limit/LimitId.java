package dev.weir.core.limit;

/** The identity of a limit. It says whose limit it is. */
public sealed interface LimitId {
    /** A limit that tickets of several runs share. */
    sealed interface Shared extends LimitId, Comparable<Shared> {
        /** The text form of a shared limit. Different limits of an organisation never have the same text. */
        String text();

        /** Returns the limit of a text that {@link #text} has made. */
        static Shared of(String text) {
            if (text.startsWith(Key.PREFIX)) {
                return new Key(text.substring(Key.PREFIX.length()));
            }
            if (text.startsWith(WorkflowRuns.PREFIX)) {
                return new WorkflowRuns(text.substring(WorkflowRuns.PREFIX.length()));
            }
            if (text.startsWith(RunKey.PREFIX)) {
                int colon = text.indexOf(':', RunKey.PREFIX.length());
                int begin = colon + 1;
                int end = begin + Integer.parseInt(text.substring(RunKey.PREFIX.length(), colon));
                return new RunKey(text.substring(begin, end), text.substring(end + 1));
            }
            if (text.equals(OrgRuns.TEXT)) {
                return new OrgRuns();
            }
            throw new IllegalArgumentException("expected the id of a shared limit, found " + text);
        }

        @Override
        default int compareTo(Shared other) {
            return text().compareTo(other.text());
        }
    }

    /** A limit on runs, which a run takes when it starts. Operators configure it (see {@link RunLimitConfig}). */
    sealed interface Runs extends Shared {}

    /** A flow-control key. */
    record Key(String name) implements Shared {
        private static final String PREFIX = "key:";

        @Override
        public String text() {
            return PREFIX + name;
        }
    }

    /** The concurrent runs, and runs per minute, of a workflow. */
    record WorkflowRuns(String workflow) implements Runs {
        private static final String PREFIX = "workflow_runs:";

        @Override
        public String text() {
            return PREFIX + workflow;
        }
    }

    /** The concurrent runs, and runs per minute, of a workflow that have one {@code run_key}. */
    record RunKey(String workflow, String key) implements Runs {
        private static final String PREFIX = "run_key:";

        @Override
        public String text() {
            return PREFIX + workflow.length() + ":" + workflow + ":" + key;
        }
    }

    /** The concurrent runs, and runs per minute, of the organisation. */
    record OrgRuns() implements Runs {
        private static final String TEXT = "org_runs";

        @Override
        public String text() {
            return TEXT;
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
        /** An {@code exclusive} step, which runs alone in its run. */
        RUN_EXCLUSIVE,
        /** {@code max_steps_per_tick}. */
        RUN_TICK,
        /** {@code concurrency} of a {@code with_items} step. */
        FAN_OUT
    }
}
