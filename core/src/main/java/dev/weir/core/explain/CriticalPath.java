package dev.weir.core.explain;

import dev.weir.core.state.WaitEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The critical path of a run that has ended: where its time went. The path leads from the run's acceptance to its end,
 * over steps that each waited for the one before. Its legs follow each other without a gap, so their times sum to the
 * whole.
 *
 * @param path the legs that determined the duration of the run, in their order
 * @param steps the legs of all steps that have ended, in the order of the definition
 */
public record CriticalPath(long from, long to, List<Leg> path, List<Leg> steps) {
    public CriticalPath {
        path = List.copyOf(path);
        steps = List.copyOf(steps);
    }

    /**
     * A stretch of time, and how much of it was waiting.
     *
     * @param step the step that it belongs to; absent if it is the run's own
     * @param item the item that ended last, if the step has any
     */
    public record Leg(@Nullable String step, @Nullable Integer item, long from, long to, List<WaitEntry> waited) {
        public Leg {
            waited = List.copyOf(waited);
        }

        /** Returns the time of actual work, in microseconds. */
        public long work() {
            return to - from - WaitEntry.total(waited);
        }
    }

    /**
     * A run that has ended.
     *
     * @param startedAt the time of its start; absent if it never started
     * @param waited the waiting time before its start
     */
    public record RunTiming(long acceptedAt, @Nullable Long startedAt, long endedAt, List<WaitEntry> waited) {}

    /**
     * A step that has ended.
     *
     * @param item the item that ended last, if the step has any
     * @param started true if the step, or that item, was ever granted
     * @param waited the waiting time of the step and of that item
     */
    public record StepTiming(
            String step,
            List<String> needs,
            @Nullable Integer item,
            boolean started,
            long endedAt,
            List<WaitEntry> waited) {}

    /**
     * Computes the path of a run from its steps and its compensations. Compensations ran one after the other, when all
     * steps had ended.
     */
    public static CriticalPath of(RunTiming run, List<StepTiming> steps, List<StepTiming> compensations) {
        Map<String, StepTiming> byId = new HashMap<>();
        steps.forEach(step -> byId.put(step.step(), step));
        long started = run.startedAt() == null ? run.endedAt() : run.startedAt();
        List<Leg> legs = new ArrayList<>();
        steps.forEach(step -> legs.add(leg(step, lastDependency(step, byId, started), started)));
        List<Leg> path = path(run, started, steps, byId);
        long end = path.isEmpty() ? started : path.getLast().to();
        for (StepTiming compensation : compensations.stream()
                .sorted(Comparator.comparingLong(StepTiming::endedAt))
                .toList()) {
            Leg leg = leg(compensation, null, end);
            legs.add(leg);
            add(path, leg);
            end = leg.to();
        }
        add(path, runLeg(end, run.endedAt(), WaitEntry.Cause.COMPENSATION));
        return new CriticalPath(run.acceptedAt(), run.endedAt(), path, legs);
    }

    /**
     * Builds the path backwards from the last step. Each step on it waited for the one before, and the first one waited
     * for the run itself.
     */
    private static List<Leg> path(RunTiming run, long started, List<StepTiming> steps, Map<String, StepTiming> byId) {
        List<Leg> path = new ArrayList<>();
        Optional<StepTiming> last = steps.stream()
                .filter(step -> step.endedAt() > started)
                .max(Comparator.comparingLong(StepTiming::endedAt));
        for (StepTiming step = last.orElse(null); step != null; ) {
            StepTiming previous = lastDependency(step, byId, started);
            add(path, leg(step, previous, started));
            step = previous;
        }
        add(path, new Leg(null, null, run.acceptedAt(), started, run.waited()));
        Collections.reverse(path);
        return path;
    }

    private static void add(List<Leg> path, Leg leg) {
        if (leg.from() < leg.to()) {
            path.add(leg);
        }
    }

    private static Leg runLeg(long from, long to, WaitEntry.Cause cause) {
        return new Leg(null, null, from, to, List.of(new WaitEntry(cause, null, to - from)));
    }

    /**
     * Returns the dependency that a step waited for: the one that ended last, after the start of the run and not after
     * the step.
     */
    private static @Nullable StepTiming lastDependency(StepTiming step, Map<String, StepTiming> byId, long started) {
        return step.needs().stream()
                .flatMap(need -> Optional.ofNullable(byId.get(need)).stream())
                .filter(need -> need.endedAt() > started && need.endedAt() <= step.endedAt())
                .max(Comparator.comparingLong(StepTiming::endedAt))
                .orElse(null);
    }

    private static Leg leg(StepTiming step, @Nullable StepTiming previous, long started) {
        long from = Math.min(step.endedAt(), previous == null ? started : previous.endedAt());
        List<WaitEntry> waited = step.waited();
        long rest = step.endedAt() - from - WaitEntry.total(waited);
        if (!step.started() && rest > 0) {
            waited = WaitEntry.merge(waited, new WaitEntry(WaitEntry.Cause.DEPENDENCY, null, rest));
        }
        return new Leg(step.step(), step.item(), from, step.endedAt(), waited);
    }

    /** Returns the waiting time on the path, longest first. */
    public List<WaitEntry> waited() {
        List<WaitEntry> sum = List.of();
        for (Leg leg : path) {
            sum = WaitEntry.merge(sum, leg.waited());
        }
        return sum.stream()
                .sorted(Comparator.comparingLong(WaitEntry::micros).reversed())
                .toList();
    }

    /** Returns the time of actual work on the path, in microseconds. */
    public long work() {
        return path.stream().mapToLong(Leg::work).sum();
    }
}
