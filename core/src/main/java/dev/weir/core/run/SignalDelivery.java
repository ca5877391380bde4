package dev.weir.core.run;

import dev.weir.core.command.SendSignal;
import dev.weir.core.definition.Action;
import dev.weir.core.json.JsonLength;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
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
    private final Map<Run, Integer> storedChars = new HashMap<>();

    /** The last number given. No number is given twice, even if many signals come at one time and are taken at once. */
    private long lastNumber = Long.MIN_VALUE;

    SignalDelivery(LiveOrganisation org) {
        this.org = org;
    }

    SendSignal.Answer send(Run run, SendSignal command, long now) {
        SendSignal.Answer firstAnswer = findFirstAnswer(run, command);
        if (firstAnswer != null) {
            return firstAnswer;
        }
        RunStep waitingStep = findWaitingStep(run, command.name());
        if (waitingStep != null) {
            org.steps.withdraw(waitingStep, now);
            waitingStep.detail = waitingStep.detail.withSignal(
                    new StepRow.ReceivedSignal(command.id(), org.audit.source().actor()));
            org.steps.complete(waitingStep, new Update.Completed(command.payload()), now);
            org.steps.advanceRun(run, now);
            return SendSignal.Answer.DELIVERED;
        }
        var kept = new Signal(
                run.id(),
                command.id(),
                Math.max(now, lastNumber + 1),
                command.name(),
                command.payload(),
                now,
                org.audit.source().actor());
        if (run.signals.size() >= KEPT_MAX || storedChars.getOrDefault(run, 0) + length(kept) > KEPT_CHARS_MAX) {
            return SendSignal.Answer.TOO_MANY;
        }
        keep(run, kept);
        org.moves.add(new Move.SignalKept(run.ref, kept, now));
        return SendSignal.Answer.KEPT;
    }

    /** Returns the first answer to a signal with that id; null if none came before. */
    private static SendSignal.@Nullable Answer findFirstAnswer(Run run, SendSignal command) {
        if (command.id() == null) {
            return null;
        }
        for (RunStep step : run.steps) {
            if (step.detail.signal() != null
                    && command.id().equals(step.detail.signal().id())) {
                boolean same = command.name().equals(signalName(step))
                        && new Update.Completed(command.payload()).equals(step.lastOutcome);
                return same ? SendSignal.Answer.DELIVERED : SendSignal.Answer.OTHER_BODY;
            }
        }
        for (Signal kept : run.signals.values()) {
            if (command.id().equals(kept.id())) {
                boolean same =
                        command.name().equals(kept.name()) && command.payload().equals(kept.payload());
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
        storedChars.merge(run, length(signal), Integer::sum);
        lastNumber = Math.max(lastNumber, signal.number());
    }

    private static int length(Signal signal) {
        int id = signal.id() == null ? 0 : signal.id().length();
        return id + signal.name().length() + JsonLength.of(signal.payload());
    }

    private static @Nullable RunStep findWaitingStep(Run run, String name) {
        RunStep oldest = null;
        for (RunStep step : run.steps) {
            boolean waits = step.waitsFor == AwaitedEvent.SIGNAL && name.equals(signalName(step));
            if (waits && (oldest == null || step.since < oldest.since)) {
                oldest = step;
            }
        }
        return oldest;
    }

    /** Returns the name of the signal that a step waits for. */
    static @Nullable String signalName(RunStep step) {
        return step.planned.definition().action() instanceof Action.WaitFor waitFor ? waitFor.signal() : null;
    }

    /** Drops the stored signals of a run that ends, because no step will wait for them. */
    void drop(Run run, long now) {
        run.signals.keySet().forEach(number -> org.moves.add(new Move.SignalTaken(run.ref, number, now)));
        run.signals = Collections.emptyNavigableMap();
        storedChars.remove(run);
    }

    /** Takes the oldest stored signal with that name. */
    @Nullable
    Signal take(Run run, String name, long now) {
        for (Map.Entry<Long, Signal> kept : run.signals.entrySet()) {
            if (kept.getValue().name().equals(name)) {
                run.signals.remove(kept.getKey());
                storedChars.computeIfPresent(
                        run, (any, all) -> run.signals.isEmpty() ? null : all - length(kept.getValue()));
                org.moves.add(new Move.SignalTaken(run.ref, kept.getKey(), now));
                return kept.getValue();
            }
        }
        return null;
    }
}
