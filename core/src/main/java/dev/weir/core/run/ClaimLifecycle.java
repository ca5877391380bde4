package dev.weir.core.run;

import dev.weir.core.admission.Allocation;
import dev.weir.core.admission.Grant;
import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.command.Assignment;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.DurationText;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.Claim;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.Move;
import dev.weir.core.state.Move.Released.How;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Grants, extends and ends claims. A claim ends once, and it returns its allocation once. */
final class ClaimLifecycle {
    /** Claims of one step or item that may expire before an expiry counts as a failed attempt. */
    static final int EXPIRIES_FREE = 10;
    /** The time that a worker has to stop after a cancel request, in microseconds. */
    static final long CANCEL_GRACE = 30_000_000;

    private final LiveOrganisation org;
    /** The live claims, by the request that they were granted to. */
    private final Map<String, List<LiveClaim>> byRequest = new HashMap<>();

    /** Steps and items that Weir has claimed itself but not begun yet, because the budget of the decision was spent. */
    private final ArrayDeque<Unit> ownToBegin = new ArrayDeque<>();

    ClaimLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** The requester of a claim. */
    record Asker(String request, String worker, long lease) {}

    /**
     * Carries out the grants of admission. It takes all grants first, because a unit or run that begins may end some of
     * the others.
     */
    void granted(List<Grant> grants, long now) {
        List<Run> runs = new ArrayList<>();
        for (Grant grant : grants) {
            if (grant.holding().subject() instanceof Run run) {
                run.ticket = null;
                run.held = grant.holding();
                runs.add(run);
            } else if (org.lives.serves(grant.poll())) {
                Unit unit = (Unit) grant.holding().subject();
                Assignment unused = grant(unit, grant.holding(), ChildRuns.WEIR, now);
                ownToBegin.add(unit);
            } else {
                give(grant, now);
            }
        }
        // A run starts as soon as its grant is counted. Its steps are checked as far as the budget allows.
        runs.forEach(run -> org.lives.begin(run, now));
        goOn(now);
    }

    /** Begins units that Weir has claimed itself, as far as the budget allows. */
    void goOn(long now) {
        while (!ownToBegin.isEmpty() && !org.budget.isSpent()) {
            Unit unit = ownToBegin.remove();
            if (unit.lease != null && isOwn(unit.lease)) {
                org.children.begin(unit, now);
            }
        }
    }

    boolean unfinished() {
        return !ownToBegin.isEmpty();
    }

    /** Takes up a claim of Weir itself whose unit had not begun yet when the organisation was stored. */
    void resume(LiveClaim lease) {
        if (isOwn(lease)) {
            ownToBegin.add(lease.unit);
        }
    }

    /**
     * True if Weir itself has claimed the step or item. The request id alone does not tell: workers may choose the same
     * id.
     */
    private static boolean isOwn(LiveClaim lease) {
        boolean isBuiltIn = switch (lease.unit.step().planned.definition().action()) {
            case Action.Invoke ignored -> true;
            case Action.Emit ignored -> true;
            case Action.Uses ignored -> false;
            case Action.Call ignored -> false;
            case Action.Sleep ignored -> false;
            case Action.WaitFor ignored -> false;
            case Action.GateOnly ignored -> false;
        };
        return isBuiltIn && lease.claim.request().equals(ChildRuns.WEIR.request());
    }

    private void give(Grant grant, long now) {
        Unit unit = (Unit) grant.holding().subject();
        if (grant.poll() == null || !(grant.poll().subject() instanceof PollTable.OpenPoll poll)) {
            throw new IllegalStateException("expected a poll that " + unit + " was granted to, found none");
        }
        var asker = new Asker(poll.request, poll.worker, poll.lease);
        org.polls.give(poll, grant(unit, grant.holding(), asker, now));
    }

    /** Creates a claim for a unit that admission has granted. */
    Assignment grant(Unit unit, Allocation holding, Asker asker, long now) {
        StepState from = unit.state;
        unit.state = from.moveTo(StepState.RUNNING);
        unit.ticket = null;
        unit.fence = nextFence(unit, now);
        unit.attempts++;
        unit.reported = false;
        unit.report = 0;
        var claim = new Claim(
                unit.id(),
                unit.fence,
                asker.worker,
                asker.request,
                asker.lease,
                now,
                Moment.plus(now, asker.lease),
                Moment.plus(now, unit.step().planned.timeout()),
                asked(unit.ask(), holding.spec().local()),
                List.copyOf(holding.starts()),
                WaitAccounting.untilGrant(unit, holding.kept(), now));
        live(new LiveClaim(unit, holding, claim));
        countTick(unit.run(), now);
        org.moves.add(new Move.Granted(unit.run().ref, claim, unit.row(), from, unit.run().startsInTick, now));
        if (unit instanceof Item item) {
            org.fanOuts.itemStarted(item, now);
        }
        return assignment(unit, claim);
    }

    /**
     * Returns the fence of a new claim. It is above the fences of all earlier claims of the step or item. That includes
     * claims whose rows somebody removed before this memory was loaded, so the row of a step need not have the newest
     * fence.
     */
    private long nextFence(Unit unit, long now) {
        long fence = Math.max(unit.fence, org.fencesBefore) + 1;
        if (fence > org.highestFence) {
            org.highestFence = fence;
            org.moves.add(new Move.FenceRaised(fence, now));
        }
        return fence;
    }

    /**
     * Returns the needs as they were allocated. Workers may have registered new defaults of the module since the needs
     * were rendered.
     */
    private static LimitNeeds asked(LimitNeeds ask, TicketSpec.Local held) {
        return ask.slots() == held.slots() && ask.exclusive() == held.exclusive()
                ? ask
                : new LimitNeeds(ask.module(), ask.needs(), held.slots(), held.exclusive(), ask.priority());
    }

    private static Assignment assignment(Unit unit, Claim claim) {
        RenderedTemplate input = unit.input;
        if (input == null) {
            throw new IllegalStateException("expected the input of " + unit + ", found none");
        }
        return new Assignment(claim, unit.attempts, unit.effect, input, unit.detail.provided());
    }

    void live(LiveClaim lease) {
        lease.unit.lease = lease;
        byRequest
                .computeIfAbsent(lease.claim.request(), ignored -> new ArrayList<>(1))
                .add(lease);
        lease.holding.rest(lease.claim.hasNoEnd());
        org.timers.schedule(lease, lease.endsAt());
    }

    private static void countTick(Run run, long now) {
        RunLimitValues limits = run.request.plan().runLimits();
        if (limits.stepsPerTick() == RunLimitValues.UNLIMITED) {
            return;
        }
        boolean same = run.startsInTick > 0
                && (run.lastGrantAt - run.startedAt) / limits.tick() == (now - run.startedAt) / limits.tick();
        run.startsInTick = same ? run.startsInTick + 1 : 1;
        run.lastGrantAt = now;
    }

    /** Returns all live claims. */
    List<Claim> all() {
        List<Claim> all = new ArrayList<>();
        for (List<LiveClaim> leases : byRequest.values()) {
            leases.forEach(lease -> all.add(lease.claim));
        }
        return all;
    }

    /** Returns all steps and items that are claimed. */
    List<ClaimedUnit> units() {
        List<ClaimedUnit> all = new ArrayList<>();
        for (List<LiveClaim> leases : byRequest.values()) {
            leases.forEach(lease -> all.add(new ClaimedUnit(lease.unit.run().ref, lease.unit.id())));
        }
        return all;
    }

    /** Returns the live claims that a request was granted. Claims of Weir itself are left out. */
    List<Assignment> of(String request) {
        List<Assignment> found = new ArrayList<>();
        for (LiveClaim lease : byRequest.getOrDefault(request, List.of())) {
            if (!isOwn(lease)) {
                found.add(assignment(lease.unit, lease.claim));
            }
        }
        return found;
    }

    /** Extends a live claim. */
    void extend(LiveClaim lease, long now) {
        long until = Moment.plus(now, lease.claim.lease());
        lease.claim = lease.claim.extendedTo(until);
        org.timers.schedule(lease, lease.endsAt());
        org.moves.add(new Move.Extended(lease.unit.run().ref, lease.claim.unit(), lease.claim.fence(), until, now));
    }

    /** Keeps a claim without an end until its step has the input that it needs. */
    void keepOpen(LiveClaim lease, long now) {
        lease.claim = lease.claim.extendedTo(Moment.NEVER);
        lease.holding.rest(true);
        org.timers.schedule(lease, lease.endsAt());
        org.moves.add(
                new Move.Extended(lease.unit.run().ref, lease.claim.unit(), lease.claim.fence(), Moment.NEVER, now));
    }

    /** Passes a claim on to another worker. It keeps its allocation, and its lease and timeout start again. */
    Assignment goOn(LiveClaim lease, Asker asker, long now) {
        Unit unit = lease.unit;
        long replaced = unit.fence;
        unregister(lease);
        WaitAccounting.moves(unit, StepState.RUNNING, List.of(), now);
        unit.state = unit.state.moveTo(StepState.RUNNING);
        unit.fence = nextFence(unit, now);
        unit.reported = false;
        unit.report = 0;
        lease.claim = new Claim(
                unit.id(),
                unit.fence,
                asker.worker,
                asker.request,
                asker.lease,
                lease.claim.grantedAt(),
                Moment.plus(now, asker.lease),
                Moment.plus(now, unit.step().planned.timeout()),
                lease.claim.ask(),
                List.of(),
                lease.claim.waited());
        live(lease);
        org.moves.add(new Move.Resumed(unit.run().ref, lease.claim, replaced, unit.row(), now));
        return assignment(unit, lease.claim);
    }

    private void unregister(LiveClaim lease) {
        List<LiveClaim> ofRequest = byRequest.getOrDefault(lease.claim.request(), List.of());
        ofRequest.remove(lease);
        if (ofRequest.isEmpty()) {
            byRequest.remove(lease.claim.request());
        }
    }

    void release(LiveClaim lease, How how, long now) {
        Unit unit = lease.unit;
        unit.lease = null;
        WaitAccounting.released(lease, how, now);
        org.timers.cancel(lease);
        unregister(lease);
        org.inputs.forget(unit);
        giveBack(lease, now);
        Claim claim = lease.claim;
        org.moves.add(new Move.Released(unit.run().ref, claim.unit(), claim.fence(), how, claim.grantedAt(), now));
    }

    private void giveBack(LiveClaim lease, long now) {
        org.admission.release(lease.holding, now);
    }

    /** Requests that a worker stops, and sets the time by which it must have stopped. */
    void requestCancel(LiveClaim lease, long at) {
        lease.cancelRequested = true;
        lease.cancelBy = Moment.plus(at, CANCEL_GRACE);
        org.timers.schedule(lease, lease.endsAt());
    }

    /** Ends a claim whose worker was told to stop, or whose work is no longer wanted. */
    void releaseCancelled(LiveClaim lease, long now) {
        release(lease, How.CANCELLED, now);
    }

    /**
     * Handles a claim whose time is over: its lease, its timeout, or the time to stop after a cancel. If its worker
     * could not be heard for a while, the end is postponed.
     */
    void ended(LiveClaim lease, long now) {
        Claim claim = lease.claim;
        long from = org.listening.endsFrom(claim.renewedAt());
        if (now < from) {
            org.timers.schedule(lease, from);
            org.listening.hold(from);
        } else if (isOwn(lease)) {
            // Weir has not begun the unit yet, and nobody else would.
            org.children.begin(lease.unit, now);
        } else if (lease.cancelBy <= now) {
            releaseCancelled(lease, now);
            org.steps.cancelled(lease.unit, now);
        } else if (claim.until() <= claim.timeoutAt()) {
            expire(lease, now);
        } else {
            timeOut(lease, now);
        }
    }

    private void expire(LiveClaim lease, long now) {
        release(lease, How.EXPIRED, now);
        abandoned(lease.unit, now);
    }

    /** Handles a unit whose worker is gone without a report, so that its outcome is unknown. */
    void abandoned(Unit unit, long now) {
        unit.expiries++;
        if (unit.step().stopped()) {
            org.steps.cancelled(unit, now);
        } else if (unit.expiries > EXPIRIES_FREE) {
            String error = "its worker stopped extending the claim; that makes " + unit.expiries + " times";
            org.tries.ended(unit, new Update.Failed(error, false), now);
        } else {
            unit.attempts--;
            org.steps.askAgain(unit, now);
            org.steps.carryOn(unit.run(), now);
        }
    }

    private void timeOut(LiveClaim lease, long now) {
        release(lease, How.TIMED_OUT, now);
        String after = DurationText.text(Duration.of(lease.unit.step().planned.timeout(), ChronoUnit.MICROS));
        org.tries.ended(lease.unit, new Update.Failed("timed out after " + after, false), now);
    }
}
