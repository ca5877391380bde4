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
import dev.weir.core.state.Move.Released.Cause;
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
    static final int FREE_EXPIRIES_MAX = 10;
    /** The time that a worker has to stop after a cancel request, in microseconds. */
    static final long CANCEL_GRACE = 30_000_000;

    private final LiveOrganisation org;
    /** The live claims, by the request that they were granted to. */
    private final Map<String, List<LiveClaim>> byRequest = new HashMap<>();

    /** Steps and items that Weir has claimed itself but not begun yet, because the budget of the decision was spent. */
    private final ArrayDeque<Unit> pendingOwnUnits = new ArrayDeque<>();

    ClaimLifecycle(LiveOrganisation org) {
        this.org = org;
    }

    /** The requester of a claim. */
    record Requester(String request, String worker, long lease) {}

    /**
     * Carries out the grants of admission. It takes all grants first, because a unit or run that begins may end some of
     * the others.
     */
    void applyGrants(List<Grant> grants, long now) {
        List<Run> runs = new ArrayList<>();
        for (Grant grant : grants) {
            if (grant.allocation().subject() instanceof Run run) {
                run.ticket = null;
                run.allocation = grant.allocation();
                runs.add(run);
            } else if (org.runLifecycle.isOwnPoll(grant.poll())) {
                Unit unit = (Unit) grant.allocation().subject();
                Assignment unused = grant(unit, grant.allocation(), ChildRuns.WEIR, now);
                pendingOwnUnits.add(unit);
            } else {
                assign(grant, now);
            }
        }
        // A run starts as soon as its grant is counted. Its steps are checked as far as the budget allows.
        runs.forEach(run -> org.runLifecycle.begin(run, now));
        resume(now);
    }

    /** Begins units that Weir has claimed itself, as far as the budget allows. */
    void resume(long now) {
        while (!pendingOwnUnits.isEmpty() && !org.budget.isSpent()) {
            Unit unit = pendingOwnUnits.remove();
            if (unit.liveClaim != null && isClaimedByWeir(unit.liveClaim)) {
                org.childRuns.execute(unit, now);
            }
        }
    }

    boolean hasPendingWork() {
        return !pendingOwnUnits.isEmpty();
    }

    /** Takes up a claim of Weir itself whose unit had not begun yet when the organisation was stored. */
    void restore(LiveClaim liveClaim) {
        if (isClaimedByWeir(liveClaim)) {
            pendingOwnUnits.add(liveClaim.unit);
        }
    }

    /**
     * True if Weir itself has claimed the step or item. The request id alone does not tell: workers may choose the same
     * id.
     */
    private static boolean isClaimedByWeir(LiveClaim liveClaim) {
        boolean isBuiltIn = switch (liveClaim.unit.step().planned.definition().action()) {
            case Action.Invoke ignored -> true;
            case Action.Emit ignored -> true;
            case Action.Uses ignored -> false;
            case Action.Call ignored -> false;
            case Action.TriggeredCall ignored -> false;
            case Action.Sleep ignored -> false;
            case Action.WaitFor ignored -> false;
            case Action.GateOnly ignored -> false;
        };
        return isBuiltIn && liveClaim.claim.request().equals(ChildRuns.WEIR.request());
    }

    private void assign(Grant grant, long now) {
        Unit unit = (Unit) grant.allocation().subject();
        if (grant.poll() == null || !(grant.poll().subject() instanceof PollTable.OpenPoll poll)) {
            throw new IllegalStateException("expected a poll that " + unit + " was granted to, found none");
        }
        var requester = new Requester(poll.request, poll.worker, poll.lease);
        org.polls.assign(poll, grant(unit, grant.allocation(), requester, now));
    }

    /** Creates a claim for a unit that admission has granted. */
    Assignment grant(Unit unit, Allocation allocation, Requester requester, long now) {
        StepState from = unit.state;
        unit.state = from.moveTo(StepState.RUNNING);
        unit.ticket = null;
        unit.fence = nextFence(unit, now);
        unit.attempts++;
        unit.reported = false;
        unit.reportFingerprint = 0;
        var claim = new Claim(
                unit.id(),
                unit.fence,
                requester.worker,
                requester.request,
                requester.lease,
                now,
                Moment.plus(now, requester.lease),
                Moment.plus(now, unit.step().timeout()),
                allocatedNeeds(unit.limitNeeds(), allocation.spec().runDemand()),
                List.copyOf(allocation.starts()),
                WaitAccounting.waitsUntilGrant(unit, allocation.waitRecord(), now));
        register(new LiveClaim(unit, allocation, claim));
        countTick(unit.run(), now);
        org.moves.add(new Move.Granted(unit.run().ref, claim, unit.row(), from, unit.run().startsInTick, now));
        if (unit instanceof Item item) {
            org.fanOuts.handleItemStart(item, now);
        }
        return assignment(unit, claim);
    }

    /**
     * Returns the fence of a new claim. It is above the fences of all earlier claims of the step or item. That includes
     * claims whose rows somebody removed before this memory was loaded, so the row of a step need not have the newest
     * fence.
     */
    private long nextFence(Unit unit, long now) {
        long fence = Math.max(unit.fence, org.fenceFloor) + 1;
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
    private static LimitNeeds allocatedNeeds(LimitNeeds limitNeeds, TicketSpec.RunDemand allocated) {
        return limitNeeds.slots() == allocated.slots() && limitNeeds.exclusive() == allocated.exclusive()
                ? limitNeeds
                : new LimitNeeds(
                        limitNeeds.module(),
                        limitNeeds.needs(),
                        allocated.slots(),
                        allocated.exclusive(),
                        limitNeeds.priority());
    }

    private static Assignment assignment(Unit unit, Claim claim) {
        RenderedTemplate input = unit.input;
        if (input == null) {
            throw new IllegalStateException("expected the input of " + unit + ", found none");
        }
        return new Assignment(claim, unit.attempts, unit.effect, input, unit.detail.provided());
    }

    void register(LiveClaim liveClaim) {
        liveClaim.unit.liveClaim = liveClaim;
        byRequest
                .computeIfAbsent(liveClaim.claim.request(), ignored -> new ArrayList<>(1))
                .add(liveClaim);
        if (!isClaimedByWeir(liveClaim)) {
            org.workers.addClaim(liveClaim.claim);
        }
        liveClaim.allocation.setOpenEnded(liveClaim.claim.hasNoExpiry());
        org.timers.schedule(liveClaim, liveClaim.endsAt());
    }

    private static void countTick(Run run, long now) {
        RunLimitValues limits = run.request.plan().runLimits();
        if (limits.stepsPerTick() == RunLimitValues.UNLIMITED) {
            return;
        }
        boolean isSameTick = run.startsInTick > 0
                && (run.lastGrantAt - run.startedAt) / limits.tick() == (now - run.startedAt) / limits.tick();
        run.startsInTick = isSameTick ? run.startsInTick + 1 : 1;
        run.lastGrantAt = now;
    }

    /** Returns all live claims. */
    List<Claim> all() {
        List<Claim> all = new ArrayList<>();
        for (List<LiveClaim> liveClaims : byRequest.values()) {
            liveClaims.forEach(liveClaim -> all.add(liveClaim.claim));
        }
        return all;
    }

    /** Returns all steps and items that are claimed. */
    List<ClaimedUnit> claimedUnits() {
        List<ClaimedUnit> all = new ArrayList<>();
        for (List<LiveClaim> liveClaims : byRequest.values()) {
            liveClaims.forEach(liveClaim -> all.add(new ClaimedUnit(liveClaim.unit.run().ref, liveClaim.unit.id())));
        }
        return all;
    }

    /** Returns the live claims that a request was granted. Claims of Weir itself are left out. */
    List<Assignment> findByRequest(String request) {
        List<Assignment> found = new ArrayList<>();
        for (LiveClaim liveClaim : byRequest.getOrDefault(request, List.of())) {
            if (!isClaimedByWeir(liveClaim)) {
                found.add(assignment(liveClaim.unit, liveClaim.claim));
            }
        }
        return found;
    }

    /** Extends a live claim. */
    void extend(LiveClaim liveClaim, long now) {
        long until = Moment.plus(now, liveClaim.claim.lease());
        org.workers.recordSeen(liveClaim.claim.worker(), now);
        liveClaim.claim = liveClaim.claim.extendedTo(until);
        org.timers.schedule(liveClaim, liveClaim.endsAt());
        org.moves.add(new Move.Extended(
                liveClaim.unit.run().ref, liveClaim.claim.unit(), liveClaim.claim.fence(), until, now));
    }

    /** Keeps a claim without an end until its step has the input that it needs. */
    void keepOpen(LiveClaim liveClaim, long now) {
        liveClaim.claim = liveClaim.claim.extendedTo(Moment.NEVER);
        liveClaim.allocation.setOpenEnded(true);
        org.timers.schedule(liveClaim, liveClaim.endsAt());
        org.moves.add(new Move.Extended(
                liveClaim.unit.run().ref, liveClaim.claim.unit(), liveClaim.claim.fence(), Moment.NEVER, now));
    }

    /** Passes a claim on to another worker. It keeps its allocation, and its lease and timeout start again. */
    Assignment resume(LiveClaim liveClaim, Requester requester, long now) {
        Unit unit = liveClaim.unit;
        long replacedFence = unit.fence;
        unregister(liveClaim);
        WaitAccounting.recordMove(unit, StepState.RUNNING, List.of(), now);
        unit.state = unit.state.moveTo(StepState.RUNNING);
        unit.fence = nextFence(unit, now);
        unit.reported = false;
        unit.reportFingerprint = 0;
        liveClaim.claim = new Claim(
                unit.id(),
                unit.fence,
                requester.worker,
                requester.request,
                requester.lease,
                liveClaim.claim.grantedAt(),
                Moment.plus(now, requester.lease),
                Moment.plus(now, unit.step().timeout()),
                liveClaim.claim.limitNeeds(),
                List.of(),
                liveClaim.claim.waited());
        register(liveClaim);
        org.moves.add(new Move.Resumed(unit.run().ref, liveClaim.claim, replacedFence, unit.row(), now));
        return assignment(unit, liveClaim.claim);
    }

    private void unregister(LiveClaim liveClaim) {
        if (!isClaimedByWeir(liveClaim)) {
            org.workers.removeClaim(liveClaim.claim);
        }
        List<LiveClaim> ofRequest = byRequest.getOrDefault(liveClaim.claim.request(), List.of());
        ofRequest.remove(liveClaim);
        if (ofRequest.isEmpty()) {
            byRequest.remove(liveClaim.claim.request());
        }
    }

    void release(LiveClaim liveClaim, Cause cause, long now) {
        Unit unit = liveClaim.unit;
        unit.liveClaim = null;
        WaitAccounting.recordRelease(liveClaim, cause, now);
        org.timers.cancel(liveClaim);
        unregister(liveClaim);
        org.inputs.remove(unit);
        returnAllocation(liveClaim, now);
        Claim claim = liveClaim.claim;
        org.moves.add(new Move.Released(unit.run().ref, claim.unit(), claim.fence(), cause, claim.grantedAt(), now));
    }

    private void returnAllocation(LiveClaim liveClaim, long now) {
        org.admission.release(liveClaim.allocation, now);
    }

    /** Requests that a worker stops, and sets the time by which it must have stopped. */
    void requestCancel(LiveClaim liveClaim, long at) {
        liveClaim.cancelRequested = true;
        liveClaim.cancelBy = Moment.plus(at, CANCEL_GRACE);
        org.timers.schedule(liveClaim, liveClaim.endsAt());
    }

    /** Ends a claim whose worker was told to stop, or whose work is no longer wanted. */
    void releaseCancelled(LiveClaim liveClaim, long now) {
        release(liveClaim, Cause.CANCELLED, now);
    }

    /**
     * Handles a claim whose time is over: its lease, its timeout, or the time to stop after a cancel. If its worker
     * could not be heard for a while, the end is postponed.
     */
    void handleTimer(LiveClaim liveClaim, long now) {
        Claim claim = liveClaim.claim;
        long from = org.listeningLog.earliestExpiry(claim.renewedAt());
        if (now < from) {
            org.timers.schedule(liveClaim, from);
            org.listeningLog.postponeExpiry(from);
        } else if (isClaimedByWeir(liveClaim)) {
            // Weir has not begun the unit yet, and nobody else would.
            org.childRuns.execute(liveClaim.unit, now);
        } else if (liveClaim.cancelBy <= now) {
            releaseCancelled(liveClaim, now);
            org.steps.endCancelled(liveClaim.unit, now);
        } else if (claim.until() <= claim.timeoutAt()) {
            expire(liveClaim, now);
        } else {
            timeOut(liveClaim, now);
        }
    }

    private void expire(LiveClaim liveClaim, long now) {
        release(liveClaim, Cause.EXPIRED, now);
        handleLostClaim(liveClaim.unit, now);
    }

    /** Handles a unit whose worker is gone without a report, so that its outcome is unknown. */
    void handleLostClaim(Unit unit, long now) {
        unit.expiries++;
        if (unit.step().isStopped()) {
            org.steps.endCancelled(unit, now);
        } else if (unit.expiries > FREE_EXPIRIES_MAX) {
            String error =
                    "its claim expired " + unit.expiries + " times, because its workers stopped sending heartbeats";
            org.attemptOutcome.apply(unit, new Update.Failed(error, false), now);
        } else {
            unit.attempts--;
            org.steps.requeue(unit, now);
            org.steps.advanceRun(unit.run(), now);
        }
    }

    private void timeOut(LiveClaim liveClaim, long now) {
        release(liveClaim, Cause.TIMED_OUT, now);
        String after = DurationText.format(Duration.of(liveClaim.unit.step().timeout(), ChronoUnit.MICROS));
        org.attemptOutcome.apply(liveClaim.unit, new Update.Failed("timed out after " + after, false), now);
    }
}
