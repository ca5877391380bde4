package dev.weir.core.life;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Held;
import dev.weir.core.admission.Holding;
import dev.weir.core.admission.Poll;
import dev.weir.core.admission.Refusal;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Start;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The life of runs as a whole: queued, started, paused, stopped, ended. */
final class Lives {
    private final Organisation org;
    /** Stands for Weir itself, which serves the runs that wait for a place. */
    private final Subject starter = new Subject() {};

    private @Nullable Poll places;

    Lives(Organisation org) {
        this.org = org;
    }

    /** Takes a run in; it waits for its place. */
    Run accept(StartRun request, Ask ask, long now) {
        var run = new Run(request, RunRef.accepted(request, org.nextNumber), ask, now);
        run.entrance = org.admission.openEntrance(org.nextNumber);
        org.nextNumber++;
        org.runs.add(run);
        org.children.accepted(run);
        if (request.options().delay() > 0) {
            run.detail = run.detail.notBefore(Moment.plus(now, request.options().delay()));
        }
        comeIn(run, now);
        org.moves.add(new Move.RunAccepted(run.ref, run.row(), now));
        return run;
    }

    /** Lets a run that has not started wait: for its place, or before that for the time until which it was put off. */
    void comeIn(Run run, long now) {
        if (run.detail.notBefore() > now) {
            org.timers.schedule(run, run.detail.notBefore());
        } else {
            queue(run, now);
        }
    }

    private void queue(Run run, long now) {
        run.ticket =
                org.admission.enqueue(run.gateOrEntrance(), run.request.plan().runSpec(run.ask), entry(run), now);
    }

    /** A run that waits for its place asks for another one from now on; tells whether it is another. It keeps its age. */
    boolean asksAnew(Run run, Ask ask, long now) {
        if (limits(ask).equals(limits(run.ask))) {
            return false;
        }
        boolean queued = run.ticket != null;
        if (run.ticket != null) {
            org.admission.withdraw(run.ticket, now);
            run.ticket = null;
        }
        run.ask = ask;
        org.children.lendAgain(run);
        org.moves.add(new Move.RunChanged(run.ref, run.ask, run.detail, now));
        if (queued) {
            queue(run, now);
        }
        return true;
    }

    /** Of one version and one request, what is asked for differs by the limits only, save what is lent. */
    private static List<LimitId.Shared> limits(Ask ask) {
        return ask.needs().stream().map(Need::limit).toList();
    }

    static Ticket.Entry entry(Run run) {
        return new Ticket.Entry(run, Math.max(run.acceptedAt, run.detail.notBefore()), run.tie(), 0);
    }

    /** Sees to it that runs which may start are started. */
    void serveRuns(long now) {
        if (places == null || !places.open()) {
            List<String> own =
                    org.plans == null ? List.of(BuiltIn.RUNS) : List.of(BuiltIn.RUNS, BuiltIn.INVOKE, BuiltIn.EMIT);
            places = org.admission.poll(starter, own, Integer.MAX_VALUE, now);
        }
    }

    /** Whether a poll is that of Weir itself. */
    boolean serves(@Nullable Poll poll) {
        return poll != null && poll == places;
    }

    /** A run has its place, and starts, if it was not started already because it is to end. */
    void begin(Run run, long now) {
        Holding holding = run.held;
        if (run.gate != null || holding == null) {
            return;
        }
        run.startedAt = now;
        run.detail = run.detail.waited(Spending.untilStart(run, holding.kept(), Refusal.NO_WORKER, now));
        run.gate = org.admission.open(run.request.plan().runLimits(), run.number(), now);
        run.entrance = null;
        if (run.overrides != null) {
            org.admission.override(run.gate, run.overrides);
        }
        setDeadline(run);
        move(run, RunState.RUNNING, List.copyOf(holding.starts()), now);
        org.steps.begin(run, now);
    }

    private void setDeadline(Run run) {
        Deadline deadline = run.request.plan().workflow().policy().deadline();
        if (deadline != null) {
            run.detail = run.detail.deadline(Moment.plus(run.startedAt, Moment.micros(deadline.after())));
            scheduleDeadline(run);
        }
    }

    /** Notes when a run is to be looked at because of its deadline. */
    void scheduleDeadline(Run run) {
        if (run.hasDeadline() && run.ending == null) {
            long deadline = run.detail.deadlineAt();
            long warnedAt = deadline - (deadline - run.startedAt) / 5;
            org.timers.schedule(run, run.detail.warned() ? deadline : warnedAt);
        }
    }

    /** A run's own time has come: it was put off until now, its deadline is near, or it is over. */
    void due(Run run, long now) {
        if (run.gate == null) {
            queue(run, now);
        } else if (now < run.detail.deadlineAt()) {
            run.detail = run.detail.warnedOf();
            org.moves.add(new Move.RunChanged(run.ref, run.ask, run.detail, now));
            org.moves.add(new Move.DeadlineNear(run.id(), run.detail.deadlineAt(), now));
            scheduleDeadline(run);
        } else {
            overdue(run, now);
        }
    }

    /** The time that a run may take is over. */
    private void overdue(Run run, long now) {
        Deadline deadline = run.request.plan().workflow().policy().deadline();
        boolean fails = deadline == null || deadline.action() == Deadline.Action.FAIL;
        RunState as = fails ? RunState.FAILED : RunState.CANCELLED;
        stop(run, new Ending(as, CancelPolicy.CANCEL_RUNNING, "its deadline is over", now), now);
        org.steps.carryOn(run, now);
    }

    /** Looks whether a run has ended, or can only wait. */
    void settle(Run run, long now) {
        if (run.state.ended() || run.state == RunState.QUEUED) {
            return;
        }
        if (run.state == RunState.COMPENSATING) {
            undo(run, now);
        } else if (run.open == 0 && Compensations.due(run)) {
            move(run, RunState.COMPENSATING, List.of(), now);
            undo(run, now);
        } else if (run.open == 0) {
            end(run, run.ending == null ? RunState.COMPLETED : run.ending.as(), now);
        } else if (run.state == RunState.RUNNING && run.lively == 0) {
            move(run, RunState.WAITING, List.of(), now);
        } else if (run.state == RunState.WAITING && run.lively > 0) {
            move(run, RunState.RUNNING, List.of(), now);
        }
    }

    private void undo(Run run, long now) {
        if (!org.compensations.goOn(run, now) && run.ending != null) {
            end(run, run.ending.as(), now);
        }
    }

    void pause(Run run, long now) {
        if (run.state == RunState.PAUSED) {
            return;
        }
        org.admission.pause(run.gateOrEntrance());
        move(run, RunState.PAUSED, List.of(), now);
    }

    /** Lets a paused run go on; a step that had failed is tried again. */
    void resume(Run run, long now) {
        unpause(run, now);
        if (run.gate == null) {
            return;
        }
        for (RunStep step : run.steps) {
            if (step.waitsFor == WaitsFor.OPERATOR) {
                org.steps.tryAgain(step, now);
            }
        }
        org.steps.carryOn(run, now);
    }

    private void unpause(Run run, long now) {
        org.admission.resume(run.gateOrEntrance());
        move(run, run.gate == null ? RunState.QUEUED : RunState.RUNNING, List.of(), now);
    }

    /** Sets a run on its way to its end. The first reason counts; a later one can only make it quicker. */
    void stop(Run run, Ending ending, long now) {
        boolean hurries = run.ending != null
                && run.ending.policy() == CancelPolicy.ALLOW_FINISH
                && ending.policy() == CancelPolicy.CANCEL_RUNNING;
        if (run.ending != null && !hurries) {
            return;
        }
        run.ending = run.ending == null
                ? ending
                : new Ending(run.ending.as(), ending.policy(), run.ending.reason(), ending.at());
        org.timers.cancel(run);
        org.moves.add(new Move.RunStopping(run.ref, run.ending, now));
        boolean paused = run.state == RunState.PAUSED && run.gate != null;
        if (paused) {
            move(run, RunState.RUNNING, List.of(), now);
        }
        stopAll(run, run.ending, now);
        if (paused) {
            org.admission.resume(run.gate());
        }
    }

    /** What waits is stopped while what it waits for is as it was: before what is in flight, and before a pause ends. */
    private void stopAll(Run run, Ending ending, long now) {
        for (RunStep step : run.steps) {
            if (!step.state.ended() && step.stopped() && step.lease == null) {
                stop(step, ending, now);
            }
        }
        for (RunStep step : run.steps) {
            if (!step.state.ended() && step.stopped()) {
                stop(step, ending, now);
            } else {
                org.remedies.giveUp(step, now);
            }
        }
    }

    /** Cancels a run, whether it has started or not. */
    void cancel(Run run, Ending ending, long now) {
        begin(run, now);
        if (run.gate == null) {
            cancelQueued(run, ending, now);
        } else {
            stop(run, ending, now);
            org.steps.carryOn(run, now);
        }
    }

    /** Ends a run that was never started. */
    private void cancelQueued(Run run, Ending ending, long now) {
        run.ending = ending;
        org.moves.add(new Move.RunStopping(run.ref, ending, now));
        run.detail = run.detail.waited(untilTakenOut(run, now));
        if (run.ticket != null) {
            org.admission.withdraw(run.ticket, now);
            run.ticket = null;
        }
        end(run, ending.as(), now);
    }

    /** What a run has waited for that was never started. */
    private List<Waited> untilTakenOut(Run run, long now) {
        if (run.ticket == null) {
            Refusal pause = new Refusal(LimitId.Local.RUN, Cause.PAUSED);
            return Spending.untilStart(
                    run, Held.BY_NOTHING, run.state == RunState.PAUSED ? pause : Refusal.NO_WORKER, now);
        }
        Refusal last = org.admission.refusal(run.ticket, now).orElse(Refusal.NO_WORKER);
        return Spending.untilStart(run, org.admission.held(run.ticket, now), last, now);
    }

    /** Stops a step or item: what waits is taken out, what runs may finish or is told to stop. */
    void stop(Unit unit, Ending ending, long now) {
        if (unit.lease != null && unit.state == StepState.NEEDS_INPUT) {
            // Nobody is at work on it, and nobody will give it its input any more.
            unit.reported = false;
            org.claims.releaseCancelled(unit.lease, now);
            org.steps.end(unit, StepState.CANCELLED, now);
        } else if (unit.lease != null) {
            if (ending.policy() == CancelPolicy.CANCEL_RUNNING) {
                org.claims.requestCancel(unit.lease, ending.at());
            }
        } else if (unit instanceof RunStep step && step.waitsFor == WaitsFor.OPERATOR) {
            // It has failed, and will not be tried again.
            org.steps.end(step, StepState.FAILED, now);
        } else if (org.children.waits(unit)) {
            org.children.stop(unit, ending, now);
        } else if (unit instanceof RunStep step && step.items != null) {
            org.fanOuts.stop(step, now);
        } else {
            org.steps.takeOut(unit, now);
            org.steps.end(unit, StepState.CANCELLED, now);
        }
    }

    private void end(Run run, RunState as, long now) {
        org.timers.cancel(run);
        org.signals.drop(run, now);
        move(run, as, List.of(), now);
        givePlaceBack(run, now);
        org.admission.close(run.gateOrEntrance());
        org.runs.remove(run);
        org.ended.add(new EndedRun(run.id(), as, run.request.fingerprint(), reports(run)));
        org.children.ended(run, as, now);
    }

    private void givePlaceBack(Run run, long now) {
        if (run.held != null) {
            org.admission.release(run.held, now);
            run.held = null;
        }
    }

    private static Map<UnitId, EndedRun.Report> reports(Run run) {
        Map<UnitId, EndedRun.Report> reports = new HashMap<>();
        for (RunStep step : run.steps) {
            addReport(step, reports);
            if (step.items != null) {
                addReports(step.items, reports);
            }
        }
        run.undoings().forEach(step -> addReport(step, reports));
        return reports;
    }

    /** Those of the last items, which came last too: of very many, not all are remembered. */
    private static void addReports(Items items, Map<UnitId, EndedRun.Report> reports) {
        for (int i = items.madeCount - 1; i >= 0 && reports.size() < EndedRun.UNITS_MAX; i--) {
            addReport(items.get(i), reports);
        }
    }

    private static void addReport(Unit unit, Map<UnitId, EndedRun.Report> reports) {
        if (unit.reported) {
            reports.put(unit.id(), new EndedRun.Report(unit.fence, unit.report));
        }
    }

    /** The one place where a run changes its state. */
    private void move(Run run, RunState next, List<Start> starts, long now) {
        RunState from = run.state;
        run.state = from.moveTo(next);
        org.moves.add(new Move.RunMoved(run.ref, run.row(), from, starts, now));
    }
}
