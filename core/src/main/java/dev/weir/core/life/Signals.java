package dev.weir.core.life;

import dev.weir.core.definition.Action;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Signals to runs: each goes to the step that has waited for it longest, or is kept until one does. */
final class Signals {
    /** Signals that are kept for one run. */
    static final int KEPT_MAX = 10_000;

    private final Organisation org;

    Signals(Organisation org) {
        this.org = org;
    }

    SendSignal.Answer send(Run run, String name, JsonNode payload, long now) {
        RunStep waiting = waiting(run, name);
        if (waiting != null) {
            org.steps.takeOut(waiting, now);
            org.steps.complete(waiting, new Update.Completed(payload), now);
            org.steps.carryOn(run, now);
            return SendSignal.Answer.DELIVERED;
        }
        if (run.signals.size() >= KEPT_MAX) {
            return SendSignal.Answer.TOO_MANY;
        }
        long number = run.signals.isEmpty() ? now : Math.max(now, run.signals.lastKey() + 1);
        keep(run, new Signal(run.id(), number, name, payload, now));
        org.moves.add(new Move.SignalKept(run.ref, run.signals.lastEntry().getValue(), now));
        return SendSignal.Answer.KEPT;
    }

    static void keep(Run run, Signal signal) {
        if (run.signals.isEmpty()) {
            run.signals = new TreeMap<>();
        }
        run.signals.put(signal.number(), signal);
    }

    private static @Nullable RunStep waiting(Run run, String name) {
        RunStep oldest = null;
        for (RunStep step : run.steps) {
            boolean waits = step.waitsFor == WaitsFor.SIGNAL && name.equals(name(step));
            if (waits && (oldest == null || step.since < oldest.since)) {
                oldest = step;
            }
        }
        return oldest;
    }

    /** The signal that a step waits for. */
    static @Nullable String name(RunStep step) {
        return step.planned.definition.action() instanceof Action.WaitFor waitFor ? waitFor.signal() : null;
    }

    /** Nobody will wait for what is kept any more. */
    void drop(Run run, long now) {
        run.signals.keySet().forEach(number -> org.moves.add(new Move.SignalTaken(run.ref, number, now)));
        run.signals = Collections.emptyNavigableMap();
    }

    /** Takes the oldest signal of that name that was kept. */
    @Nullable
    JsonNode take(Run run, String name, long now) {
        for (Map.Entry<Long, Signal> kept : run.signals.entrySet()) {
            if (kept.getValue().name().equals(name)) {
                run.signals.remove(kept.getKey());
                org.moves.add(new Move.SignalTaken(run.ref, kept.getKey(), now));
                return kept.getValue().payload();
            }
        }
        return null;
    }
}
