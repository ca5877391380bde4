package dev.weir.core.run;

import dev.weir.core.admission.Grant;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimStatus;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.UnitStatus;
import dev.weir.core.command.WorkControl;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries out the requests of workers. */
final class LiveWorkControl extends LiveRunLookup implements WorkControl {
    LiveWorkControl(LiveOrganisation org) {
        super(org);
    }

    @Override
    public List<Assignment> claimsOf(String request) {
        return org.claims.findByRequest(request);
    }

    @Override
    public boolean isPolling(String request) {
        return org.polls.isOpen(request);
    }

    @Override
    public void openPoll(ClaimWork poll, long now) {
        register(poll.modules(), now);
        var names = poll.modules().stream().map(ClaimWork.ServedModule::module).toList();
        org.polls.open(new PollTable.OpenPoll(poll.request(), poll.worker(), poll.lease()), names, poll.limit(), now);
    }

    /** Registers the defaults that a worker sends for its modules. If they are new, waiting units are queued again. */
    private void register(List<ClaimWork.ServedModule> modules, long now) {
        boolean hasChanged = false;
        for (ClaimWork.ServedModule served : modules) {
            ConcurrencyProfile profile = served.profile();
            if (profile != null && org.moduleDefaults.register(served.module(), profile)) {
                org.moves.add(new Move.ModuleRegistered(served.module(), profile, now));
                org.demandRefresh.refresh(served.module());
                hasChanged = true;
            }
        }
        if (hasChanged) {
            org.demandRefresh.advance(now);
        }
    }

    @Override
    public boolean endPoll(String request, long now) {
        return org.polls.close(request, now);
    }

    @Override
    public List<Assignment> claim(ClaimSteps request, long now) {
        register(request.servedModules(), now);
        Run run = org.runs.find(request.run());
        if (run == null || run.limiter == null || org.stops.isSuspended()) {
            return List.of();
        }
        Set<String> modules = request.modulesOf(run.request.plan());
        return org.demandRefresh.hasPendingWork(modules) ? List.of() : claim(request, run, modules, now);
    }

    private List<Assignment> claim(ClaimSteps request, Run run, Set<String> modules, long now) {
        var requester = new ClaimLifecycle.Requester(request.request(), request.worker(), request.lease());
        List<Assignment> assignments =
                new ArrayList<>(org.inputs.assign(unit -> isChosen(request, unit), request.limit(), requester, now));
        if (assignments.size() == request.limit()) {
            return assignments;
        }
        List<Grant> grants = org.admission.claim(
                run.limiter(),
                modules,
                ticket ->
                        request.chooses(((Unit) ticket.subject()).step().planned.id()),
                request.limit() - assignments.size(),
                now);
        for (Grant grant : grants) {
            assignments.add(org.claims.grant((Unit) grant.allocation().subject(), grant.allocation(), requester, now));
        }
        return assignments;
    }

    private static boolean isChosen(ClaimSteps request, Unit unit) {
        return unit.run().id().equals(request.run())
                && request.chooses(unit.step().planned.id())
                && request.servesModule(unit.limitNeeds().module());
    }

    @Override
    public List<UnitId> running(String run) {
        Run found = org.runs.find(run);
        return found == null ? List.of() : found.running();
    }

    @Override
    public Optional<UnitStatus> findUnit(UnitId unit) {
        Unit found = org.find(unit);
        return found == null ? Optional.empty() : Optional.of(status(found));
    }

    private UnitStatus status(Unit unit) {
        return new UnitStatus(
                unit.state,
                unit.fence,
                Math.max(unit.fence, org.fenceFloor),
                unit.liveClaim != null,
                unit.reported,
                unit.reportFingerprint,
                unit.input != null && !unit.input.secretTexts().isEmpty());
    }

    @Override
    public void report(UnitId id, Update update, boolean nextEffect, long now) {
        Unit unit = org.find(id);
        LiveClaim liveClaim = requireClaim(unit, id);
        org.workers.recordSeen(liveClaim.claim.worker(), now);
        liveClaim.unit.reported = true;
        liveClaim.unit.reportFingerprint = update.fingerprint();
        liveClaim.unit.detail = liveClaim.unit.detail.withReporter(reporter(liveClaim.claim.worker()));
        if (nextEffect) {
            liveClaim.unit.effect++;
        }
        if (update instanceof Update.NeedsInput needsInput && keepsClaim(liveClaim.unit.step())) {
            org.inputs.keepClaim(liveClaim, needsInput, now);
        } else {
            org.claims.release(liveClaim, Move.Released.Cause.REPORTED, now);
            org.attemptOutcome.apply(liveClaim.unit, update, now);
        }
    }

    /** Returns the source of a report; null if this process made it, so that its rows need no more room. */
    private StepRow.@Nullable Reporter reporter(String worker) {
        Attribution source = org.audit.source();
        return source.origin() == ChangeOrigin.PROGRAM ? null : new StepRow.Reporter(source.actor(), worker);
    }

    /** True if a step that needs input keeps its claim. A stopped step does not, because nobody will give it input. */
    private static boolean keepsClaim(RunStep step) {
        return !step.isStopped() && step.planned.definition().resultRules().onNeedsInput() == OnNeedsInput.KEEP;
    }

    private static LiveClaim requireClaim(@Nullable Unit unit, UnitId id) {
        if (unit == null || unit.liveClaim == null) {
            throw new IllegalStateException("expected the claim of " + id + ", found none");
        }
        return unit.liveClaim;
    }

    @Override
    public Optional<ClaimStatus> findClaim(UnitId unit) {
        Unit found = org.find(unit);
        return found == null || found.liveClaim == null ? Optional.empty() : Optional.of(status(found.liveClaim));
    }

    private static ClaimStatus status(LiveClaim liveClaim) {
        return new ClaimStatus(liveClaim.claim, liveClaim.unit.fence, liveClaim.cancelRequested, liveClaim.endsAt());
    }

    @Override
    public ClaimStatus extend(UnitId unit, long now) {
        LiveClaim liveClaim = requireClaim(org.find(unit), unit);
        org.claims.extend(liveClaim, now);
        return status(liveClaim);
    }
}
