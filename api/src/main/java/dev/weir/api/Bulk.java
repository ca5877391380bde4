package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests and responses about operations on many runs. */
public final class Bulk {
    /** The most ids of runs in a filter. */
    public static final int IDS_MAX = 1_000;

    private static final int NAME_CHARS_MAX = 256;

    private Bulk() {}

    /**
     * The runs that an operation is about. A run must match all given fields.
     *
     * @param state the states; absent = those in which the operation makes sense
     * @param key a flow-control key under which the run has, or had, a step
     * @param ids the runs to look at; absent = all
     */
    public record BulkFilter(
            @Nullable List<String> state,
            @Nullable String workflow,
            @Nullable String key,
            @Nullable Map<String, String> labels,
            @Nullable List<String> ids) {
        public BulkFilter {
            state = state == null ? null : InvalidValue.texts("state", state, NAME_CHARS_MAX);
            if (workflow != null) {
                InvalidValue.text("workflow", workflow, NAME_CHARS_MAX);
            }
            if (key != null) {
                Keys.checked(key);
            }
            if (labels != null) {
                labels.forEach((name, value) -> InvalidValue.present("labels/" + name, "a string", value));
            }
            if (ids != null) {
                if (ids.isEmpty() || ids.size() > IDS_MAX) {
                    throw new InvalidValue("ids", "from 1 to " + IDS_MAX + " ids", String.valueOf(ids.size()));
                }
                ids = InvalidValue.texts("ids", ids, NAME_CHARS_MAX);
            }
        }
    }

    /**
     * A request to cancel all runs that match.
     *
     * @param dryRun true to count the runs and change nothing
     * @param policy allow_finish or cancel_running; absent = the policy of each workflow
     */
    public record BulkCancelRequest(
            BulkFilter filter,
            @Nullable Boolean dryRun,
            @Nullable String policy,
            @Nullable String reason) {
        public BulkCancelRequest {
            InvalidValue.present("filter", "a filter; {} matches all runs that have not ended", filter);
            Runs.checkText("reason", reason);
        }
    }

    /**
     * A request to retry all runs that match.
     *
     * @param dryRun true to count the runs and change nothing
     */
    public record BulkRetryRequest(
            BulkFilter filter,
            @Nullable Boolean dryRun,
            @Nullable String reason) {
        public BulkRetryRequest {
            InvalidValue.present("filter", "a filter; {} matches all runs that failed", filter);
            Runs.checkText("reason", reason);
        }
    }

    /**
     * The runs that match now.
     *
     * @param exact false if at least this many match
     * @param sample some of them, newest first
     */
    public record BulkPreview(String action, long matching, boolean exact, List<Runs.RunSummary> sample) {}

    /**
     * An operation and its progress.
     *
     * @param state running or completed
     * @param expected the number of matching runs when it began; absent if there were too many to count
     * @param processed the runs so far: changed, unchanged and failed
     * @param failures the first runs that could not be changed
     */
    public record BulkView(
            String id,
            String action,
            String state,
            Instant createdAt,
            @Nullable Instant endedAt,
            @Nullable Long expected,
            long processed,
            long changed,
            long unchanged,
            long failed,
            List<BulkFailure> failures) {}

    public record BulkFailure(String run, String error) {}
}
