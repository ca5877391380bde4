package dev.weir.engine.records;

import dev.weir.core.definition.CancelPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on all runs, or all dead letters, that match a filter. It is carried out in parts, and its progress is stored after each.
 *
 * @param expected the number of matching runs when it began; absent if there were too many to count
 * @param endedAt the time of its end; absent while it is running
 */
public record BulkOperation(
        String org,
        String id,
        Task task,
        @Nullable Long expected,
        Progress progress,
        Instant createdAt,
        @Nullable Instant endedAt) {
    /** The largest number of failures that are listed. */
    public static final int FAILURES_MAX = 20;

    /** The kinds of operations. */
    public enum Action {
        CANCEL,
        RETRY,
        /** Submits dead letters again. */
        REDRIVE,
        /** Closes dead letters that nobody wants any more. */
        DISCARD;

        /** True if it is about dead letters and not about runs. */
        public boolean isOfDeadLetters() {
            return this == REDRIVE || this == DISCARD;
        }
    }

    /**
     * The request.
     *
     * @param ids the runs or dead letters to look at; empty = all that match the filter
     * @param policy the treatment of running steps by a cancel; absent = as each workflow defines
     */
    public record Task(
            Action action,
            BulkFilter filter,
            List<String> ids,
            @Nullable CancelPolicy policy,
            Note note) {
        public Task {
            ids = List.copyOf(ids);
            if (action.isOfDeadLetters() != filter instanceof DeadLetterFilter) {
                throw new IllegalArgumentException("expected a filter that fits " + action + ", found " + filter);
            }
        }
    }

    /**
     * The operator of a task.
     *
     * @param actor the name of the operator's token
     * @param reason the operator's reason; absent if none was given
     */
    public record Note(String actor, @Nullable String reason) {}

    /**
     * The part that is done.
     *
     * @param numberBefore the runs with lower numbers are still to do
     * @param listedBefore the number of the task's ids that are done
     * @param changed the number of runs that were changed
     * @param unchanged the number of runs that had nothing to change
     * @param failed the number of runs that could not be changed
     */
    public record Progress(
            long numberBefore, int listedBefore, long changed, long unchanged, long failed, List<Failure> failures) {
        public Progress {
            failures = List.copyOf(failures);
        }

        /** Returns the progress at its beginning. */
        public static Progress begin(long numberBefore) {
            return new Progress(numberBefore, 0, 0, 0, 0, List.of());
        }

        /** Returns the progress up to another position. */
        public Progress at(long number, int listed) {
            return new Progress(number, listed, changed, unchanged, failed, failures);
        }

        public Progress addChanged() {
            return new Progress(numberBefore, listedBefore, changed + 1, unchanged, failed, failures);
        }

        public Progress addUnchanged() {
            return new Progress(numberBefore, listedBefore, changed, unchanged + 1, failed, failures);
        }

        public Progress addFailure(Failure failure) {
            List<Failure> more = new ArrayList<>(failures);
            if (more.size() < FAILURES_MAX) {
                more.add(failure);
            }
            return new Progress(numberBefore, listedBefore, changed, unchanged, failed + 1, more);
        }
    }

    /** A run or dead letter that could not be changed, and why. */
    public record Failure(String id, String error) {}

    public BulkOperation with(Progress newProgress, @Nullable Instant end) {
        return new BulkOperation(org, id, task, expected, newProgress, createdAt, end);
    }
}
