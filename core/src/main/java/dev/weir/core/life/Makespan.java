package dev.weir.core.life;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a run that has ended went. The path leads from its acceptance to its end, over those steps that each
 * waited for the one before; its legs follow each other without a gap, so their times sum to the whole.
 *
 * @param path the legs that the run took as long as it did for, in their order
 * @param steps every step that has ended, in the order of the definition
 */
public record Makespan(long from, long to, List<Leg> path, List<Leg> steps) {
    public Makespan {
        path = List.copyOf(path);
        steps = List.copyOf(steps);
    }

    /**
     * A stretch of time, and what of it was no work.
     *
     * @param step whose it is; absent where it is the run's own
     * @param item the item that took longest, of a step that has items
     */
    public record Leg(@Nullable String step, @Nullable Integer item, long from, long to, List<Waited> waited) {
        public Leg {
            waited = List.copyOf(waited);
        }

        /** How long it was worked on, in microseconds. */
        public long work() {
            return to - from - Waited.total(waited);
        }
    }

    /**
     * A run that has ended.
     *
     * @param startedAt absent if it never started
     * @param waited what it waited for before it started
     */
    public record OfRun(long acceptedAt, @Nullable Long startedAt, long endedAt, List<Waited> waited) {}

    /**
     * A step that has ended.
     *
     * @param item the item that ended last, if it has any
     * @param started whether it, or that item, was ever granted
     * @param waited what it, and that item, waited for
     */
    public record OfStep(
            String step,
            List<String> needs,
            @Nullable Integer item,
            boolean started,
            long endedAt,
            List<Waited> waited) {}

    /** A run, its steps, and those that have undone steps: one after the other, when all else had ended. */
    public static Makespan of(OfRun run, List<OfStep> steps, List<OfStep> undoing) {
        Map<String, OfStep> byId = new HashMap<>();
        steps.forEach(step -> byId.put(step.step(), step));
        long started = run.startedAt() == null ? run.endedAt() : run.startedAt();
        List<Leg> legs = new ArrayList<>();
        steps.forEach(step -> legs.add(leg(step, before(step, byId, started), started)));
        List<Leg> path = path(run, started, steps, byId);
        long end = path.isEmpty() ? started : path.getLast().to();
        for (OfStep undo : undoing.stream()
                .sorted(Comparator.comparingLong(OfStep::endedAt))
                .toList()) {
            Leg leg = leg(undo, null, end);
            legs.add(leg);
            add(path, leg);
            end = leg.to();
        }
        add(path, own(end, run.endedAt(), Waited.For.COMPENSATION));
        return new Makespan(run.acceptedAt(), run.endedAt(), path, legs);
    }

    /** From the last step to the beginning: each was waited for by the one after it, the run itself by the first. */
    private static List<Leg> path(OfRun run, long started, List<OfStep> steps, Map<String, OfStep> byId) {
        List<Leg> path = new ArrayList<>();
        Optional<OfStep> last =
                steps.stream().filter(step -> step.endedAt() > started).max(Comparator.comparingLong(OfStep::endedAt));
        for (OfStep step = last.orElse(null); step != null; ) {
            OfStep before = before(step, byId, started);
            add(path, leg(step, before, started));
            step = before;
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

    private static Leg own(long from, long to, Waited.For what) {
        return new Leg(null, null, from, to, List.of(new Waited(what, null, to - from)));
    }

    /** What a step has waited for: that of its needs which ended last, after the run had started and before it did. */
    private static @Nullable OfStep before(OfStep step, Map<String, OfStep> byId, long started) {
        return step.needs().stream()
                .flatMap(need -> Optional.ofNullable(byId.get(need)).stream())
                .filter(need -> need.endedAt() > started && need.endedAt() <= step.endedAt())
                .max(Comparator.comparingLong(OfStep::endedAt))
                .orElse(null);
    }

    private static Leg leg(OfStep step, @Nullable OfStep before, long started) {
        long from = Math.min(step.endedAt(), before == null ? started : before.endedAt());
        List<Waited> waited = step.waited();
        long rest = step.endedAt() - from - Waited.total(waited);
        if (!step.started() && rest > 0) {
            waited = Waited.plus(waited, new Waited(Waited.For.DEPENDENCY, null, rest));
        }
        return new Leg(step.step(), step.item(), from, step.endedAt(), waited);
    }

    /** What the run waited for on its path, longest first. */
    public List<Waited> waited() {
        List<Waited> sum = List.of();
        for (Leg leg : path) {
            sum = Waited.plus(sum, leg.waited());
        }
        return sum.stream()
                .sorted(Comparator.comparingLong(Waited::micros).reversed())
                .toList();
    }

    /** How long somebody worked on the path, in microseconds. */
    public long work() {
        return path.stream().mapToLong(Leg::work).sum();
    }
}
