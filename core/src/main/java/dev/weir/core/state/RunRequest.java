package dev.weir.core.state;

import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.json.Fingerprint;
import dev.weir.core.plan.Plan;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The request with which a run was started. The run keeps it until its end.
 *
 * @param run the id, chosen by the caller
 * @param plan the definition with which the run is accepted, and which it keeps
 * @param options the unusual settings of the start
 * @param lineage the runs and events that led to it
 * @param flowControl keys that its steps inherit instead of the workflow's; absent = the workflow's
 */
public record RunRequest(
        String run,
        Plan plan,
        JsonNode input,
        int priority,
        @Nullable List<FlowControl> flowControl,
        SortedMap<String, String> labels,
        Options options,
        RunLineage lineage) {
    /** The longest id of a run, in characters. */
    public static final int RUN_CHARS_MAX = 256;

    /** The value in a fingerprint if the caller asked for no priority. */
    private static final long NO_PRIORITY = Long.MIN_VALUE;

    public RunRequest {
        if (run.isBlank()) {
            throw new IllegalArgumentException("a run needs an id, found none");
        }
        flowControl = flowControl == null ? null : List.copyOf(flowControl);
        labels = labels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        if (priority < -TicketSpec.PRIORITY_MAX || priority > TicketSpec.PRIORITY_MAX) {
            throw new IllegalArgumentException("priority must be from -100 to 100, found " + priority);
        }
        if (options.priority() == null && priority != plan.workflow().policy().priority()) {
            options = options.withPriority(priority);
        }
    }

    public RunRequest(
            String run,
            Plan plan,
            JsonNode input,
            int priority,
            @Nullable List<FlowControl> flowControl,
            SortedMap<String, String> labels) {
        this(run, plan, input, priority, flowControl, labels, Options.DEFAULT, RunLineage.NONE);
    }

    /**
     * Unusual settings of a start.
     *
     * @param delay the time before it queues for the run limits, in microseconds
     * @param targets the steps that are wanted; the steps that they need run too, all others are skipped. None = all
     *     steps
     * @param priority the priority that the caller asked for; absent = that of the workflow's version
     */
    public record Options(
            long delay, List<String> targets, @Nullable Integer priority) {
        public static final Options DEFAULT = new Options(0, List.of());

        public Options {
            if (delay < 0) {
                throw new IllegalArgumentException("a delay must not be negative, found " + delay + " µs");
            }
            targets = targets.stream().distinct().sorted().toList();
        }

        public Options(long delay, List<String> targets) {
            this(delay, targets, null);
        }

        public Options withPriority(@Nullable Integer requested) {
            return Objects.equals(priority, requested) ? this : new Options(delay, targets, requested);
        }

        private long addTo(long print) {
            long all = Fingerprint.with(print, delay);
            all = Fingerprint.with(all, priority == null ? NO_PRIORITY : priority);
            all = Fingerprint.with(all, targets.size());
            for (String target : targets) {
                all = Fingerprint.with(all, target);
            }
            return all;
        }
    }

    /** Creates a request with the workflow's own priority and no unusual settings. */
    public static RunRequest of(String run, Plan plan, JsonNode input) {
        int priority = plan.workflow().policy().priority();
        return new RunRequest(run, plan, input, priority, null, new TreeMap<>());
    }

    /**
     * Returns a number that tells a repeated start from another one, also after a restart, so it must not include
     * anything with an identity of its own. A newer workflow version does not change it, even if that version has
     * another priority.
     */
    public int fingerprint() {
        long print = Fingerprint.of(0);
        print = Fingerprint.with(print, plan.workflow().name());
        print = Fingerprint.with(print, input);
        print = withFlowControl(print);
        print = Fingerprint.with(print, labels.size());
        for (Map.Entry<String, String> label : labels.entrySet()) {
            print = Fingerprint.with(Fingerprint.with(print, label.getKey()), label.getValue());
        }
        return Fingerprint.fold(lineage.addTo(options.addTo(print)));
    }

    private long withFlowControl(long print) {
        if (flowControl == null) {
            return Fingerprint.with(print, (String) null);
        }
        long all = Fingerprint.with(print, flowControl.size());
        for (FlowControl each : flowControl) {
            all = each.addToFingerprint(all);
        }
        return all;
    }
}
