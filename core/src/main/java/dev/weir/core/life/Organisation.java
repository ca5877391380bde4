package dev.weir.core.life;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitView;
import dev.weir.core.admission.Refusal;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything of one organisation that lives, in memory: its runs, its claims, who waits for which limit, and what is
 * due. Commands and time come in; moves come out, and are to be committed before anybody is told. Pure and
 * single-threaded. Every time is in microseconds (see {@link Moment}) and must not go back from one call to the next.
 */
public final class Organisation {
    /** Timers that fire in one advance: others want their turn. */
    static final int TIMERS_MAX = 4_096;
    /** Passes of admission in one advance, each of which starts so many at the most. */
    static final int PASSES_MAX = 8;

    final Admission admission = new Admission();
    final Timers timers = new Timers();
    final Moves moves = new Moves();
    final Runs runs = new Runs();

    /** The newest version of each workflow, by its name. */
    final SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();

    final Ended ended = new Ended();
    final Profiles profiles = new Profiles();
    final Operated operated = new Operated();
    final Polls polls = new Polls(this);
    final AskingAnew askingAnew = new AskingAnew(this);
    final Claims claims = new Claims(this);
    final Inputs inputs = new Inputs(this);
    final Steps steps = new Steps(this);
    final Tries tries = new Tries(this);
    final Signals signals = new Signals(this);
    private final Hints hints = new Hints();
    final Remedies remedies = new Remedies(this);
    final Children children = new Children(this);
    final Compensations compensations = new Compensations(this);
    final FanOuts fanOuts = new FanOuts(this);
    final Lives lives = new Lives(this);
    /** What steps can invoke; absent = nothing: whoever polls for it does what Weir would do itself. */
    final @Nullable Plans plans;

    long nextNumber = 1;
    private long lastNow = Long.MIN_VALUE;

    /** An organisation whose steps invoke nothing and emit nothing by themselves, as in a forecast. */
    public Organisation() {
        this(null);
    }

    public Organisation(@Nullable Plans plans) {
        this.plans = plans;
    }

    /**
     * Brings an organisation back from what was kept of it; complete before the first grant. Whether its workers need time
     * to renew their claims first is for the caller to say, who knows for how long they were not heard.
     */
    public static Organisation restore(Rows rows, long now) {
        return Restoring.from(rows, null, now);
    }

    /** The same for one whose steps can invoke runs. */
    public static Organisation restore(Rows rows, @Nullable Plans plans, long now) {
        return Restoring.from(rows, plans, now);
    }

    /** All that must survive a restart, save the starts (see {@link Rows}). */
    public Rows rows() {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claimRows = new ArrayList<>();
        List<Signal> signalRows = new ArrayList<>();
        for (Run run : runs) {
            runRows.add(run.row());
            for (RunStep step : run.steps) {
                step.addTo(stepRows, claimRows);
            }
            for (RunStep step : run.undoings()) {
                step.addTo(stepRows, claimRows);
            }
            signalRows.addAll(run.signals.values());
        }
        operated.forget(lastNow);
        return new Rows(
                runRows,
                stepRows,
                claimRows,
                signalRows,
                List.of(),
                operated.pins,
                operated.pauses,
                operated.holds,
                profiles.all(),
                workflows,
                ended.all(),
                nextNumber);
    }

    /** Decides a command. What it makes possible, such as a freed place, is used by the next {@link #advance}. */
    public <A> Decision<A> handle(Command<A> command, long now) {
        at(now);
        A answer = command.decide(this, now);
        return new Decision<>(answer, moves.take());
    }

    /** Does what is due, then starts all that may start; of very much a part, and the rest is due at once. */
    public Advance advance(long now) {
        at(now);
        int fired = 0;
        for (Timer due = timers.takeDue(now); due != null; due = fired < TIMERS_MAX ? timers.takeDue(now) : null) {
            fire(due, now);
            fired++;
        }
        fanOuts.goOn(now);
        askingAnew.goOn(now);
        polls.letIn(now);
        lives.serveRuns(now);
        inputs.handOn(now);
        int passes = 0;
        do {
            claims.granted(admission.pass(now), now);
            passes++;
        } while (admission.pending() && passes < PASSES_MAX);
        askingAnew.followUp();
        return new Advance(polls.takeServed(now), moves.take());
    }

    /** When, at the latest, the next {@link #advance} is due if no command comes. */
    public long nextWakeup() {
        if (fanOuts.unfinished() || askingAnew.unfinished() || admission.pending()) {
            return lastNow;
        }
        return Math.min(timers.next(), admission.nextWakeup());
    }

    /**
     * Lets no claim end for want of a heartbeat before that time: after a stall, healthy workers must be able to renew
     * theirs first.
     */
    public void holdExpiries(long until) {
        claims.holdExpiries(until);
    }

    /** The newest version of a workflow that is registered. */
    public Optional<WorkflowVersion> findWorkflow(String name) {
        return Optional.ofNullable(workflows.get(name));
    }

    /** The workflow that was perhaps meant by a name of which there is none. */
    public Optional<String> findNearestWorkflow(String name, long now) {
        return hints.nearest(name, workflows.keySet(), now);
    }

    /** Learns what history says of runs that ended long ago, so that what is said of them is answered as it was. */
    public void remember(List<EndedRun> fromHistory) {
        for (EndedRun run : fromHistory) {
            if (!runs.contains(run.run()) && ended.find(run.run()).isEmpty()) {
                ended.add(run);
            }
        }
    }

    /** A run that lives. */
    public Optional<RunRow> findRun(String run) {
        return Optional.ofNullable(runs.get(run)).map(Run::row);
    }

    /** What a run has ended as, while that is still remembered here. */
    public Optional<RunState> findEnded(String run) {
        return ended.find(run).map(EndedRun::state);
    }

    /** A step or item of a run that lives. */
    public Optional<StepRow> findStep(UnitId id) {
        return Optional.ofNullable(find(id)).map(Unit::row);
    }

    /** The claim of a step or item that is claimed. */
    public Optional<Claim> findClaim(UnitId id) {
        return Optional.ofNullable(find(id)).map(unit -> unit.lease).map(lease -> lease.claim);
    }

    /** All claims that live, in no order. */
    public List<Claim> claims() {
        return claims.all();
    }

    /** What is claimed, in no order. */
    public List<ClaimedUnit> claimed() {
        return claims.units();
    }

    /** The number of the oldest run that lives, or of the next one if none does. */
    public long firstRun() {
        Run first = runs.first();
        return first == null ? nextNumber : first.number();
    }

    /**
     * Runs that live with numbers above the first and not above the second, in the order of these. It costs as much as it
     * gives where it goes on from where it ended the last time.
     */
    public List<RunRow> runsBetween(long after, long last) {
        return runs.slice(after, last).stream().map(Run::row).toList();
    }

    /** The first steps and items of a run that are neither blocked nor ended, in the order of the definition. */
    public List<StepRow> openSteps(String run, int most) {
        List<StepRow> found = new ArrayList<>();
        Run living = runs.get(run);
        if (living != null) {
            for (RunStep step : living.steps) {
                step.addOpen(found, most);
            }
            for (RunStep step : living.undoings()) {
                step.addOpen(found, most);
            }
        }
        return found;
    }

    /** Why a step or item that waits for its limits does not start. */
    public Optional<Explanation> why(UnitId id, long now) {
        return Optional.ofNullable(find(id)).map(unit -> unit.ticket).map(ticket -> admission.explain(ticket, now));
    }

    /** The step or item that room is kept for because it was overtaken too often, if any. */
    public Optional<UnitId> reserver() {
        return admission.reserver().map(ticket -> ticket.subject() instanceof Unit unit ? unit.id() : null);
    }

    /** Why a run that is queued does not start. */
    public Optional<Explanation> why(String run, long now) {
        return Optional.ofNullable(runs.get(run))
                .map(queued -> queued.ticket)
                .map(ticket -> admission.explain(ticket, now));
    }

    /** The first thing that keeps a step or item from starting, of all that {@link #why} would say. */
    public Optional<Refusal> heldBy(UnitId id, long now) {
        return Optional.ofNullable(find(id)).map(unit -> unit.ticket).flatMap(ticket -> admission.refusal(ticket, now));
    }

    /** The first thing that keeps a queued run from starting. */
    public Optional<Refusal> heldBy(String run, long now) {
        return Optional.ofNullable(runs.get(run))
                .map(found -> found.ticket)
                .flatMap(ticket -> admission.refusal(ticket, now));
    }

    /** Every shared limit that is known, in the order of its id. */
    public List<LimitView> limits(long now) {
        return admission.limits(now);
    }

    /** Whether somebody who asks for the work of a module would be given some. */
    public boolean couldStart(String module) {
        return admission.couldStart(module);
    }

    /** Ids of the steps and items of a run that are in flight, oldest grant first. */
    public List<UnitId> running(String run) {
        List<UnitId> running = new ArrayList<>();
        Run found = runs.get(run);
        if (found != null && found.gate != null) {
            found.gate.running().forEach(subject -> running.add(((Unit) subject).id()));
        }
        return running;
    }

    @Nullable
    Unit find(UnitId id) {
        Run run = runs.get(id.run());
        return run == null ? null : run.find(id);
    }

    private void fire(Timer timer, long now) {
        switch (timer) {
            case Lease lease -> claims.ended(lease, now);
            case Unit unit -> steps.due(unit, now);
            case Run run -> lives.due(run, now);
        }
    }

    void at(long now) {
        if (now < lastNow) {
            throw new IllegalArgumentException(
                    "time must not go back, expected at least " + lastNow + ", found " + now);
        }
        lastNow = now;
    }
}
