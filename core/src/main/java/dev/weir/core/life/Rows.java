package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All of an organisation that must survive a restart, in an order that is the same wherever it comes from.
 *
 * @param runs the runs that live
 * @param steps their steps and items, save steps that are still blocked
 * @param claims the claims that live
 * @param signals signals that were sent before they were waited for, by run, oldest first
 * @param starts the starts that still count against rates, oldest first. Memory does not keep them one by one, so
 *     {@link Organisation#rows} has none: they are in the moves, and a {@link Ledger} or journal keeps them
 * @param holds until when keys are held because the other side has asked for that
 * @param workflows the newest version of each workflow, by name
 * @param ended the runs that ended last
 * @param nextNumber the number of the next run
 */
public record Rows(
        List<RunRow> runs,
        List<StepRow> steps,
        List<Claim> claims,
        List<Signal> signals,
        List<Start> starts,
        SortedMap<LimitId.Shared, Pin> pins,
        SortedMap<LimitId.Shared, Long> pauses,
        SortedMap<LimitId.Shared, Long> holds,
        SortedMap<String, ConcurrencyProfile> profiles,
        SortedMap<String, WorkflowVersion> workflows,
        List<EndedRun> ended,
        long nextNumber) {
    public static final Rows NONE = new Rows(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            List.of(),
            1);

    public Rows {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
        claims = List.copyOf(claims);
        signals = List.copyOf(signals);
        starts = List.copyOf(starts);
        pins = Collections.unmodifiableSortedMap(new TreeMap<>(pins));
        pauses = Collections.unmodifiableSortedMap(new TreeMap<>(pauses));
        holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
        profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
        workflows = Collections.unmodifiableSortedMap(new TreeMap<>(workflows));
        ended = List.copyOf(ended);
    }

    public Rows withStarts(List<Start> counting) {
        return new Rows(
                runs, steps, claims, signals, counting, pins, pauses, holds, profiles, workflows, ended, nextNumber);
    }

    /** The same, as it is when the runs that ended did so too long ago to be remembered. */
    public Rows withoutEnded() {
        return new Rows(
                runs, steps, claims, signals, starts, pins, pauses, holds, profiles, workflows, List.of(), nextNumber);
    }

    /**
     * The same, with what is known of claims that have no row any more. The row of a step stays as it was when it is
     * claimed, so without the claim nobody would know its fence, and might give it again.
     */
    public Rows withLost(List<Claim> known) {
        Map<UnitId, Long> fences = new HashMap<>();
        known.forEach(claim -> fences.put(claim.unit(), claim.fence()));
        claims.forEach(claim -> fences.remove(claim.unit()));
        List<StepRow> carried = new ArrayList<>();
        for (StepRow step : steps) {
            Long fence = fences.get(step.id());
            boolean asks = step.state() == StepState.READY || step.state() == StepState.REQUESTED;
            carried.add(fence != null && asks && step.fence() < fence ? step.running(fence) : step);
        }
        return new Rows(
                runs, carried, claims, signals, starts, pins, pauses, holds, profiles, workflows, ended, nextNumber);
    }
}
