package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests to start and retry runs, and the responses to them. */
public final class Starts {
    /** The most runs that one request can start. */
    public static final int BATCH_MAX = 500;
    /** The longest run id, in characters. */
    public static final int ID_CHARS_MAX = 256;
    /** The lowest priority of a run. */
    public static final int PRIORITY_MIN = -100;

    public static final int PRIORITY_MAX = 100;

    private Starts() {}

    /**
     * A request to start a run of the newest version of a workflow.
     *
     * @param id the id that the caller chooses; the same id with the same body returns the first run
     * @param input the input of the run; absent = an empty object
     * @param priority a number from -100 to 100, greater goes first; absent = the workflow's priority
     * @param flowControl the keys that the run's steps inherit instead of the workflow's: an object or a list
     * @param delay the time that the run waits before it queues for its limits, such as 10m
     * @param targets the wanted steps; the steps that they depend on run too, all others are skipped
     * @param correlationId the id that the run shares with what led to it; absent = its own id
     */
    public record StartRunRequest(
            String workflow,
            @Nullable String id,
            @Nullable JsonNode input,
            @Nullable Integer priority,

            @com.fasterxml.jackson.annotation.JsonAlias("flowControl") @Nullable
            JsonNode flowControl,

            @Nullable Map<String, String> labels,
            @Nullable String delay,
            @Nullable List<String> targets,
            @Nullable String correlationId) {
        public StartRunRequest {
            workflow = InvalidValue.text("workflow", workflow, 128);
            if (id != null) {
                InvalidValue.text("id", id, ID_CHARS_MAX);
            }
            if (priority != null && (priority < PRIORITY_MIN || priority > PRIORITY_MAX)) {
                String expected = "a number from " + PRIORITY_MIN + " to " + PRIORITY_MAX;
                throw new InvalidValue("priority", expected, String.valueOf(priority));
            }
            Labels.check(labels);
            if (correlationId != null) {
                InvalidValue.text("correlation_id", correlationId, ID_CHARS_MAX);
            }
            targets = targets == null ? null : InvalidValue.texts("targets", targets, 128);
        }

        /** Creates a request without a correlation id. */
        public StartRunRequest(
                String workflow,
                @Nullable String id,
                @Nullable JsonNode input,
                @Nullable Integer priority,
                @Nullable JsonNode flowControl,
                @Nullable Map<String, String> labels,
                @Nullable String delay,
                @Nullable List<String> targets) {
            this(workflow, id, input, priority, flowControl, labels, delay, targets, null);
        }

        public static StartRunRequest of(String workflow, @Nullable String id, @Nullable JsonNode input) {
            return new StartRunRequest(workflow, id, input, null, null, null, null, null);
        }
    }

    /**
     * A request to retry a run.
     *
     * @param id the id of the new run; absent = derived from the old run's id, so that a repeated request retries
     *     only once
     */
    public record RetryRequest(@Nullable String id) {
        public RetryRequest {
            if (id != null) {
                InvalidValue.text("id", id, ID_CHARS_MAX);
            }
        }
    }

    /** A request to start several runs. */
    public record StartRuns(List<StartRunRequest> runs) {
        public StartRuns {
            runs = InvalidValue.each("runs", "a run", InvalidValue.present("runs", "a list of runs", runs));
            if (runs.isEmpty() || runs.size() > BATCH_MAX) {
                throw new InvalidValue("runs", "from 1 to " + BATCH_MAX + " runs", String.valueOf(runs.size()));
            }
        }
    }

    /**
     * A run that was accepted, or that existed already.
     *
     * @param created true if this request created it
     */
    public record StartedRun(
            String id,
            String workflow,
            String state,
            @Nullable Integer version,
            boolean created) {}

    /**
     * The result for one run of a batch.
     *
     * @param outcome created, existing, conflict, refused, unknown_workflow or queue_full
     */
    public record StartResult(
            @Nullable String id,
            String outcome,
            @Nullable String state,
            @Nullable String detail) {}

    public record StartResults(List<StartResult> results) {}

    /**
     * A start that a program left in the inbox in its own transaction, and that could not be carried out.
     *
     * @param run the id that the run would have had; empty if even that could not be read
     * @param reason unknown_workflow, conflict, refused or failed
     * @param by the database user who left it
     */
    public record RefusedStart(String run, String workflow, String reason, String message, String by, Instant at) {}

    public record RefusedStartPage(
            List<RefusedStart> refusedStarts, @Nullable String next) {}

    /** The bounds of a run's labels, by which runs are found. */
    static final class Labels {
        static final int COUNT_MAX = 32;
        static final int CHARS_MAX = 256;

        private Labels() {}

        static void check(@Nullable Map<String, String> labels) {
            if (labels == null) {
                return;
            }
            if (labels.size() > COUNT_MAX) {
                throw new InvalidValue("labels", "at most " + COUNT_MAX + " labels", String.valueOf(labels.size()));
            }
            labels.forEach((name, value) -> {
                InvalidValue.text("labels", name, CHARS_MAX);
                InvalidValue.text("labels/" + name, value, CHARS_MAX);
            });
        }
    }
}
