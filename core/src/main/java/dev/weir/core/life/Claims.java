package dev.weir.core.life;

import dev.weir.core.admission.Grant;
import dev.weir.core.admission.Holding;
import dev.weir.core.admission.RunLimits;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Durations;
import dev.weir.core.expression.Rendered;
import dev.weir.core.life.Move.Released.How;
import dev.weir.core.limit.Moment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Grants, extensions and ends of claims. A claim ends once, and gives back what it held once. */
final class Claims {
    /** Claims of one step or item that may expire before an expiry counts as a failed try. */
    static final int EXPIRIES_FREE = 10;
    /** How long a worker may take to heed a cancel, in microseconds. */
    static final long CANCEL_GRACE = 30_000_000;

    private final Organisation org;
    /** The claims that live, by the request that they were granted to. */
    private final Map<String, List<Lease>> byRequest = new HashMap<>();

    private long expiriesFrom = Long.MIN_VALUE;

    Claims(Organisation org) {
        this.org = org;
    }

    /** Who asked for work. */
    record Asker(String request, String worker, long lease) {}

    /** Follows what admission has granted: all of it is taken first, because what then begins may end some of the rest. */
    void granted(List<Grant> grants, long now) {
        List<Run> runs = new ArrayList<>();
        List<Unit> own = new ArrayList<>();
        for (Grant grant : grants) {
            if (grant.holding().subject() instanceof Run run) {
                run.ticket = null;
                run.held = grant.holding();
                runs.add(run);
            } else if (org.lives.serves(grant.poll())) {
                Unit unit = (Unit) grant.holding().subject();
                Assignment unused = grant(unit, grant.holding(), Children.WEIR, now);
                own.add(unit);
            } else {
                give(grant, now);
            }
        }
        runs.forEach(run -> org.lives.begin(run, now));
        own.forEach(unit -> org.children.begin(unit, now));
    }

    private void give(Grant grant, long now) {
        Unit unit = (Unit) grant.holding().subject();
        if (grant.poll() == null || !(grant.poll().subject() instanceof Polls.OpenPoll poll)) {
            throw new IllegalStateException("expected a poll that " + unit + " was granted to, found none");
        }
        var asker = new Asker(poll.request, poll.worker, poll.lease);
        org.polls.give(poll, grant(unit, grant.holding(), asker, now));
    }

    /** Makes a claim of what admission has granted. */
    Assignment grant(Unit unit, Holding holding, Asker asker, long now) {
        StepState from = unit.state;
        unit.state = from.moveTo(StepState.RUNNING);
        unit.ticket = null;
        unit.fence++;
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
                Moment.plus(now, unit.step().planned.timeout),
                asked(unit.ask(), holding.spec().local()),
                List.copyOf(holding.starts()),
                Spending.untilGrant(unit, holding.kept(), now));
        live(new Lease(unit, holding, claim));
        countTick(unit.run(), now);
        org.moves.add(new Move.Granted(unit.run().ref, claim, unit.row(), from, unit.run().startsInTick, now));
        if (unit instanceof Item item) {
            org.fanOuts.itemStarted(item, now);
        }
        return assignment(unit, claim);
    }

    /** What is held: workers may have said something new of the module since it was rendered. */
    private static Ask asked(Ask ask, TicketSpec.Local held) {
        return ask.slots() == held.slots() && ask.exclusive() == held.exclusive()
                ? ask
                : new Ask(ask.module(), ask.needs(), held.slots(), held.exclusive(), ask.priority());
    }

    private static Assignment assignment(Unit unit, Claim claim) {
        Rendered input = unit.input;
        if (input == null) {
            throw new IllegalStateException("expected the input of " + unit + ", found none");
        }
        return new Assignment(claim, unit.attempts, input, unit.detail.provided());
    }

    void live(Lease lease) {
        lease.unit.lease = lease;
        byRequest
                .computeIfAbsent(lease.claim.request(), ignored -> new ArrayList<>(1))
                .add(lease);
        lease.holding.rest(lease.claim.hasNoEnd());
        org.timers.schedule(lease, lease.endsAt());
    }

    private static void countTick(Run run, long now) {
        RunLimits limits = run.request.plan().runLimits();
        if (limits.stepsPerTick() == RunLimits.UNLIMITED) {
            return;
        }
        boolean same = run.startsInTick > 0
                && (run.lastGrantAt - run.startedAt) / limits.tick() == (now - run.startedAt) / limits.tick();
        run.startsInTick = same ? run.startsInTick + 1 : 1;
        run.lastGrantAt = now;
    }

    /** All claims that live. */
    List<Claim> all() {
        List<Claim> all = new ArrayList<>();
        for (List<Lease> leases : byRequest.values()) {
            leases.forEach(lease -> all.add(lease.claim));
        }
        return all;
    }

    /** All steps and items that are claimed. */
    List<ClaimedUnit> units() {
        List<ClaimedUnit> all = new ArrayList<>();
        for (List<Lease> leases : byRequest.values()) {
            leases.forEach(lease -> all.add(new ClaimedUnit(lease.unit.run().ref, lease.unit.id())));
        }
        return all;
    }

    /** What a request was granted and still lives. */
    List<Assignment> of(String request) {
        List<Assignment> found = new ArrayList<>();
        for (Lease lease : byRequest.getOrDefault(request, List.of())) {
            found.add(assignment(lease.unit, lease.claim));
        }
        return found;
    }

    /** Extends a claim that lives. */
    void extend(Lease lease, long now) {
        long until = Moment.plus(now, lease.claim.lease());
        lease.claim = lease.claim.extendedTo(until);
        org.timers.schedule(lease, lease.endsAt());
        org.moves.add(new Move.Extended(lease.unit.run().ref, lease.claim.unit(), lease.claim.fence(), until, now));
    }

    /** Lets a claim last until its step has the input that it needs. */
    void keepOpen(Lease lease, long now) {
        lease.claim = lease.claim.extendedTo(Moment.NEVER);
        lease.holding.rest(true);
        org.timers.schedule(lease, lease.endsAt());
        org.moves.add(
                new Move.Extended(lease.unit.run().ref, lease.claim.unit(), lease.claim.fence(), Moment.NEVER, now));
    }

    /** Hands a claim on to another worker; what it holds stays held, and its time begins anew. */
    Assignment goOn(Lease lease, Asker asker, long now) {
        Unit unit = lease.unit;
        unregister(lease);
        Spending.moves(unit, StepState.RUNNING, List.of(), now);
        unit.state = unit.state.moveTo(StepState.RUNNING);
        unit.fence++;
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
                Moment.plus(now, unit.step().planned.timeout),
                lease.claim.ask(),
                List.of(),
                lease.claim.waited());
        live(lease);
        org.moves.add(new Move.Resumed(unit.run().ref, lease.claim, unit.row(), now));
        return assignment(unit, lease.claim);
    }

    private void unregister(Lease lease) {
        List<Lease> ofRequest = byRequest.getOrDefault(lease.claim.request(), List.of());
        ofRequest.remove(lease);
        if (ofRequest.isEmpty()) {
            byRequest.remove(lease.claim.request());
        }
    }

    /** Ends a claim. */
    void release(Lease lease, How how, long now) {
        Unit unit = lease.unit;
        unit.lease = null;
        Spending.released(lease, how, now);
        org.timers.cancel(lease);
        unregister(lease);
        org.inputs.forget(unit);
        giveBack(lease, now);
        org.moves.add(new Move.Released(unit.run().ref, lease.claim.unit(), lease.claim.fence(), how, now));
    }

    private void giveBack(Lease lease, long now) {
        org.admission.release(lease.holding, now);
    }

    /** Tells a worker to stop, and when it must have. */
    void requestCancel(Lease lease, long at) {
        lease.cancelRequested = true;
        lease.cancelBy = Moment.plus(at, CANCEL_GRACE);
        org.timers.schedule(lease, lease.endsAt());
    }

    /** Ends a claim whose worker was told to stop, or has nothing to do with it any more. */
    void releaseCancelled(Lease lease, long now) {
        release(lease, How.CANCELLED, now);
    }

    void holdExpiries(long until) {
        expiriesFrom = Math.max(expiriesFrom, until);
    }

    /** The time of a claim is over. */
    void ended(Lease lease, long now) {
        Claim claim = lease.claim;
        if (now < expiriesFrom) {
            org.timers.schedule(lease, expiriesFrom);
        } else if (lease.cancelBy <= now) {
            releaseCancelled(lease, now);
            org.steps.cancelled(lease.unit, now);
        } else if (claim.until() <= claim.timeoutAt()) {
            expire(lease, now);
        } else {
            timeOut(lease, now);
        }
    }

    private void expire(Lease lease, long now) {
        release(lease, How.EXPIRED, now);
        abandoned(lease.unit, now);
    }

    /** Nobody works on a unit any more, and nobody has said how far it got. */
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

    private void timeOut(Lease lease, long now) {
        release(lease, How.TIMED_OUT, now);
        String after = Durations.text(Duration.of(lease.unit.step().planned.timeout, ChronoUnit.MICROS));
        org.tries.ended(lease.unit, new Update.Failed("timed out after " + after, false), now);
    }
}
