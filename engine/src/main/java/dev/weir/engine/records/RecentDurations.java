package dev.weir.engine.records;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Reads how long the last finished attempts of a workflow's steps took. It reads a bounded number of runs and items. */
public final class RecentDurations {
    /** The runs of a workflow that are read, the newest of those that are complete and of those that are not. */
    private static final int RUNS_MAX = 8;
    /** The items of one fan-out that are read. */
    private static final int ITEMS_MAX = 50;

    private static final List<Set<RunState>> STATES =
            List.of(Set.of(RunState.COMPLETED), Set.of(RunState.RUNNING, RunState.WAITING));

    private final Records records;
    private final String org;
    private final BooleanSupplier isOver;

    /** @param isOver becomes true when the rest is no longer read */
    public RecentDurations(Records records, String org, BooleanSupplier isOver) {
        this.records = records;
        this.org = org;
        this.isOver = isOver;
    }

    /**
     * The usual duration of a step's attempts.
     *
     * @param attempts the number of finished attempts of which it is the median
     */
    public record StepDuration(String workflow, String step, Duration median, int attempts) {}

    /** Returns the durations that are known, by workflow and step. */
    public List<StepDuration> read(Collection<String> workflows) {
        List<StepDuration> found = new ArrayList<>();
        for (String workflow : workflows) {
            SortedMap<String, List<Duration>> bySteps = new TreeMap<>();
            for (Set<RunState> states : STATES) {
                runs(new RunFilter(states, workflow, Map.of())).forEach(run -> addDurations(run, bySteps));
            }
            bySteps.forEach((step, durations) ->
                    found.add(new StepDuration(workflow, step, median(durations), durations.size())));
        }
        return found;
    }

    private List<RunRecord> runs(RunFilter filter) {
        return isOver.getAsBoolean()
                ? List.of()
                : records.runs(org, filter, new PageRequest("", RUNS_MAX)).entries();
    }

    private void addDurations(RunRecord run, SortedMap<String, List<Duration>> bySteps) {
        if (isOver.getAsBoolean()) {
            return;
        }
        for (StepRecord step : records.steps(org, run.run())) {
            List<Duration> durations = bySteps.computeIfAbsent(step.unit().step(), ignored -> new ArrayList<>());
            if (step.items() == null) {
                add(step, durations);
            } else if (durations.size() < ITEMS_MAX && step.items().ended() > 0) {
                records.items(org, run.run(), step.unit().step(), new PageRequest("", ITEMS_MAX))
                        .entries()
                        .forEach(item -> add(item, durations));
            }
            bySteps.values().removeIf(List::isEmpty);
        }
    }

    private static void add(StepRecord unit, List<Duration> durations) {
        Instant granted = unit.times().grantedAt();
        Instant ended = unit.times().endedAt();
        if (unit.state() == StepState.COMPLETED && granted != null && ended != null && !ended.isBefore(granted)) {
            durations.add(Duration.between(granted, ended));
        }
    }

    private static Duration median(List<Duration> durations) {
        List<Duration> sorted = durations.stream().sorted().toList();
        return sorted.get((sorted.size() - 1) / 2);
    }
}
