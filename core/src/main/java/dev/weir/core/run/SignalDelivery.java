package dev.weir.core.run;

import dev.weir.core.command.SendSignal;
import dev.weir.core.definition.Action;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.Signal;
import dev.weir.core.state.Update;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Delivers signals to runs: each goes to the step that has waited for it longest, or is stored until one waits. */
final class SignalDelivery {
    /** The largest number of signals that are stored for one run. */
    static final int KEPT_MAX = 10_000;
    /** The largest total size of the signals that are stored for one run, in characters. */
    static final int KEPT_CHARS_MAX = 4 * 1024 * 1024;

    private final LiveOrganisation org;
    /** The number of characters stored for each run that has stored signals. */
    private final Map<Run, Integer> chars = new HashMap<>();

    /** The last number given. No number is given twice, even if many signals come at one time and are taken at once. */
    private long lastNumber = Long.MIN_VALUE;

    SignalDelivery(LiveOrganisation org) {
        this.org = org;
    }

    SendSignal.Answer send(Run run, SendSignal sent, long now) {
        SendSignal.Answer before = before(run, sent);
        if (before != null) {
            return before;
        }
        RunStep waiting = waiting(run, sent.name());
        if (waiting != null) {
            org.steps.takeOut(waiting, now);
            waiting.detail = waiting.detail.signalled(sent.id());
            org.steps.complete(waiting, new Update.Completed(sent.payload()), now);
            org.steps.carryOn(run, now);
            return SendSignal.Answer.DELIVERED;
        }
        var kept = new Signal(run.id(), sent.id(), Math.max(now, lastNumber + 1), sent.name(), sent.payload(), now);
        if (run.signals.size() >= KEPT_MAX || chars.getOrDefault(run, 0) + chars(kept) > KEPT_CHARS_MAX) {
            return SendSignal.Answer.TOO_MANY;
        }
        keep(run, kept);
        org.moves.add(new Move.SignalKept(run.ref, kept, now));
        return SendSignal.Answer.KEPT;
    }

    /** Returns the first answer to a signal with that id; null if none came before. */
    private static SendSignal.@Nullable Answer before(Run run, SendSignal sent) {
        if (sent.id() == null) {
            return null;
        }
        for (RunStep step : run.steps) {
            if (sent.id().equals(step.detail.signal())) {
                boolean same = sent.name().equals(name(step)) && new Update.Completed(sent.payload()).equals(step.last);
                return same ? SendSignal.Answer.DELIVERED : SendSignal.Answer.OTHER_BODY;
            }
        }
        for (Signal kept : run.signals.values()) {
            if (sent.id().equals(kept.id())) {
                boolean same = sent.name().equals(kept.name()) && sent.payload().equals(kept.payload());
                return same ? SendSignal.Answer.KEPT : SendSignal.Answer.OTHER_BODY;
            }
        }
        return null;
    }

    void keep(Run run, Signal signal) {
        if (run.signals.isEmpty()) {
            run.signals = new TreeMap<>();
        }
        run.signals.put(signal.number(), signal);
        chars.merge(run, chars(signal), Integer::sum);
        lastNumber = Math.max(lastNumber, signal.number());
    }

    private static int chars(Signal signal) {
        int id = signal.id() == null ? 0 : signal.id().length();
        return id + signal.name().length() + JsonLength.of(signal.payload());
    }

    private static @Nullable RunStep waiting(Run run, String name) {
        RunStep oldest = null;
        for (RunStep step : run.steps) {
            boolean waits = step.waitsFor == AwaitedEvent.SIGNAL && name.equals(name(step));
            if (waits && (oldest == null || step.since < oldest.since)) {
                oldest = step;
            }
        }
        return oldest;
    }

    /** Returns the name of the signal that a step waits for. */
    static @Nullable String name(RunStep step) {
        return step.planned.definition().action() instanceof Action.WaitFor waitFor ? waitFor.signal() : null;
    }

    /** Drops the stored signals of a run that ends, because no step will wait for them. */
    void drop(Run run, long now) {
        run.signals.keySet().forEach(number -> org.moves.add(new Move.SignalTaken(run.ref, number, now)));
        run.signals = Collections.emptyNavigableMap();
        chars.remove(run);
    }

    /** Takes the oldest stored signal with that name. */
    @Nullable
    Signal take(Run run, String name, long now) {
        for (Map.Entry<Long, Signal> kept : run.signals.entrySet()) {
            if (kept.getValue().name().equals(name)) {
                run.signals.remove(kept.getKey());
                chars.computeIfPresent(run, (any, all) -> run.signals.isEmpty() ? null : all - chars(kept.getValue()));
                org.moves.add(new Move.SignalTaken(run.ref, kept.getKey(), now));
                return kept.getValue();
            }
        }
        return null;
    }
}
