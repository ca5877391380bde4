package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about dead letters: work that failed for good and waits for a person. */
public final class DeadLetters {
    private static final int NAME_CHARS_MAX = 256;

    private DeadLetters() {}

    /** A run or event of the chain that led to a cascade. */
    public record ChainLink(String type, String id, String name) {}

    /**
     * A dead letter.
     *
     * @param kind failed_run, refused_start, cascade or event
     * @param state open, redriven or discarded
     * @param reason the reason as a code, such as step_failed
     * @param subject the id of the run or of the event
     * @param keys the flow-control keys concerned, of failed steps first
     * @param by the actor that caused the work; absent if unknown
     * @param redrivenAs the id of the run, or of the event, that took its place
     * @param submission the work as it was submitted; only in the answer for one dead letter, and only if it is kept
     */
    public record DeadLetterView(
            String id,
            String kind,
            String state,
            String reason,
            String subject,
            @Nullable String workflow,
            List<String> keys,
            String text,
            List<ChainLink> chain,
            @Nullable String by,
            Instant at,
            @Nullable Instant closedAt,
            @Nullable String redrivenAs,
            @Nullable JsonNode submission) {}

    public record DeadLetterPage(
            List<DeadLetterView> deadLetters, @Nullable String next) {}

    /** A request to redrive or discard one dead letter. */
    public record CloseRequest(@Nullable String reason) {
        public CloseRequest {
            Runs.checkText("reason", reason);
        }
    }

    /**
     * The outcome for one dead letter.
     *
     * @param state redriven or discarded
     * @param changed false if an earlier request did it
     */
    public record CloseResult(
            String id, String state, @Nullable String redrivenAs, boolean changed) {}

    /**
     * The dead letters that an operation is about. A dead letter must be open and match all given fields.
     *
     * @param ids the dead letters to look at; absent = all
     */
    public record DeadLetterFilter(
            @Nullable String kind,
            @Nullable String reason,
            @Nullable String workflow,
            @Nullable String key,
            @Nullable List<String> ids) {
        public DeadLetterFilter {
            if (workflow != null) {
                InvalidValue.text("workflow", workflow, NAME_CHARS_MAX);
            }
            if (key != null) {
                Keys.checked(key);
            }
            if (ids != null) {
                if (ids.isEmpty() || ids.size() > Bulk.IDS_MAX) {
                    throw new InvalidValue("ids", "from 1 to " + Bulk.IDS_MAX + " ids", String.valueOf(ids.size()));
                }
                ids = InvalidValue.texts("ids", ids, NAME_CHARS_MAX);
            }
        }
    }

    /**
     * A request to redrive or discard all dead letters that match.
     *
     * @param dryRun true to count the dead letters and change nothing
     */
    public record BulkCloseRequest(
            DeadLetterFilter filter,
            @Nullable Boolean dryRun,
            @Nullable String reason) {
        public BulkCloseRequest {
            InvalidValue.present("filter", "a filter; {} matches all open dead letters", filter);
            Runs.checkText("reason", reason);
        }
    }

    /**
     * The dead letters that match now.
     *
     * @param exact false if at least this many match
     * @param sample some of them, newest first
     */
    public record DeadLetterPreview(String action, long matching, boolean exact, List<DeadLetterView> sample) {}
}
