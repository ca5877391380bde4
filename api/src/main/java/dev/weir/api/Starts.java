package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Starting runs. */
public final class Starts {
    /** Runs that one request can start. */
    public static final int BATCH_MAX = 500;
    /** Characters of a run's id. */
    public static final int ID_CHARS_MAX = 256;
    /** The lowest and the highest priority of a run. */
    public static final int PRIORITY_MIN = -100;

    public static final int PRIORITY_MAX = 100;

    private Starts() {}

    /**
     * Asks for a run of the newest version of a workflow.
     *
     * @param id chosen by the one who starts it; the same id with the same body gives the first run
     * @param input absent = an empty object
     * @param priority from -100 to 100, the greater goes first; absent = the workflow's
     * @param flowControl keys that its steps inherit instead of the workflow's: an object or a list
     * @param delay how long it waits before it asks for its place, such as 10m
     * @param targets the steps that are wanted; what they need comes along, all else is skipped
     */
    public record StartRun(
            String workflow,
            @Nullable String id,
            @Nullable JsonNode input,
            @Nullable Integer priority,
            @Nullable JsonNode flowControl,
            @Nullable Map<String, String> labels,
            @Nullable String delay,
            @Nullable List<String> targets) {
        public StartRun {
            workflow = Invalid.text("workflow", workflow, 128);
            if (id != null) {
                Invalid.text("id", id, ID_CHARS_MAX);
            }
            if (priority != null && (priority < PRIORITY_MIN || priority > PRIORITY_MAX)) {
                String expected = "a number from " + PRIORITY_MIN + " to " + PRIORITY_MAX;
                throw new Invalid("priority", expected, String.valueOf(priority));
            }
            Labels.check(labels);
            targets = targets == null ? null : Invalid.texts("targets", targets, 128);
        }

        public static StartRun of(String workflow, @Nullable String id, @Nullable JsonNode input) {
            return new StartRun(workflow, id, input, null, null, null, null, null);
        }
    }

    /**
     * Tries a run again.
     *
     * @param id of the new run; absent = one that follows from the old run's, so that asking twice retries once
     */
    public record RetryRequest(@Nullable String id) {
        public RetryRequest {
            if (id != null) {
                Invalid.text("id", id, ID_CHARS_MAX);
            }
        }
    }

    /** Asks for several runs. */
    public record StartRuns(List<StartRun> runs) {
        public StartRuns {
            runs = Invalid.each("runs", "a run", Invalid.present("runs", "a list of runs", runs));
            if (runs.isEmpty() || runs.size() > BATCH_MAX) {
                throw new Invalid("runs", "from 1 to " + BATCH_MAX + " runs", String.valueOf(runs.size()));
            }
        }
    }

    /**
     * A run that was accepted, or was there already.
     *
     * @param created whether this request made it
     */
    public record StartedRun(
            String id,
            String workflow,
            String state,
            @Nullable Integer version,
            boolean created) {}

    /**
     * What became of one run of a batch.
     *
     * @param result created, existing, conflict, refused or unknown_workflow
     */
    public record StartResult(
            @Nullable String id,
            String result,
            @Nullable String state,
            @Nullable String detail) {}

    public record StartResults(List<StartResult> results) {}

    /**
     * A start that a program has left in its own transaction, and that could not be carried out.
     *
     * @param run the id that the run would have had; empty where even that could not be read
     * @param reason unknown_workflow, conflict, refused or failed
     * @param by the user of the database who left it
     */
    public record RefusedStart(String run, String workflow, String reason, String message, String by, Instant at) {}

    public record RefusedStartPage(
            List<RefusedStart> refusedStarts, @Nullable String next) {}

    /** Words that runs are found by. */
    static final class Labels {
        static final int COUNT_MAX = 32;
        static final int CHARS_MAX = 256;

        private Labels() {}

        static void check(@Nullable Map<String, String> labels) {
            if (labels == null) {
                return;
            }
            if (labels.size() > COUNT_MAX) {
                throw new Invalid("labels", "at most " + COUNT_MAX + " labels", String.valueOf(labels.size()));
            }
            labels.forEach((name, value) -> {
                Invalid.text("labels", name, CHARS_MAX);
                Invalid.text("labels/" + name, value, CHARS_MAX);
            });
        }
    }
}
