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
import dev.weir.core.state.Move;
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
        return org.claims.of(request);
    }

    @Override
    public boolean isPolling(String request) {
        return org.polls.waits(request);
    }

    @Override
    public void openPoll(ClaimWork poll, long now) {
        register(poll.modules(), now);
        var names = poll.modules().stream().map(ClaimWork.Serves::module).toList();
        org.polls.join(new PollTable.OpenPoll(poll.request(), poll.worker(), poll.lease()), names, poll.limit(), now);
    }

    /** Registers the defaults that a worker sends for its modules. If they are new, waiting units are queued again. */
    private void register(List<ClaimWork.Serves> modules, long now) {
        boolean news = false;
        for (ClaimWork.Serves serves : modules) {
            ConcurrencyProfile profile = serves.profile();
            if (profile != null && org.profiles.register(serves.module(), profile)) {
                org.moves.add(new Move.ModuleRegistered(serves.module(), profile, now));
                org.askingAnew.of(serves.module());
                news = true;
            }
        }
        if (news) {
            org.askingAnew.goOn(now);
        }
    }

    @Override
    public boolean endPoll(String request, long now) {
        return org.polls.leave(request, now);
    }

    @Override
    public List<Assignment> claim(ClaimSteps request, long now) {
        register(request.serves(), now);
        Run run = org.runs.get(request.run());
        if (run == null || run.gate == null) {
            return List.of();
        }
        Set<String> modules = request.modulesOf(run.request.plan());
        return org.askingAnew.unfinished(modules) ? List.of() : claim(request, run, modules, now);
    }

    private List<Assignment> claim(ClaimSteps request, Run run, Set<String> modules, long now) {
        var asker = new ClaimLifecycle.Asker(request.request(), request.worker(), request.lease());
        List<Assignment> assignments =
                new ArrayList<>(org.inputs.handOn(unit -> isChosen(request, unit), request.limit(), asker, now));
        if (assignments.size() == request.limit()) {
            return assignments;
        }
        List<Grant> grants = org.admission.claim(
                run.gate(),
                modules,
                ticket ->
                        request.chooses(((Unit) ticket.subject()).step().planned.id()),
                request.limit() - assignments.size(),
                now);
        for (Grant grant : grants) {
            assignments.add(org.claims.grant((Unit) grant.holding().subject(), grant.holding(), asker, now));
        }
        return assignments;
    }

    private static boolean isChosen(ClaimSteps request, Unit unit) {
        return unit.run().id().equals(request.run())
                && request.chooses(unit.step().planned.id())
                && request.servesModule(unit.ask().module());
    }

    @Override
    public List<UnitId> running(String run) {
        Run found = org.runs.get(run);
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
                Math.max(unit.fence, org.fencesBefore),
                unit.lease != null,
                unit.reported,
                unit.report,
                unit.input != null && !unit.input.late().isEmpty());
    }

    @Override
    public void report(UnitId id, Update update, boolean nextEffect, long now) {
        Unit unit = org.find(id);
        LiveClaim lease = lease(unit, id);
        lease.unit.reported = true;
        lease.unit.report = update.fingerprint();
        if (nextEffect) {
            lease.unit.effect++;
        }
        if (update instanceof Update.NeedsInput asked && keepsClaim(lease.unit.step())) {
            org.inputs.keep(lease, asked, now);
        } else {
            org.claims.release(lease, Move.Released.How.REPORTED, now);
            org.tries.ended(lease.unit, update, now);
        }
    }

    /** True if a step that needs input keeps its claim. A stopped step does not, because nobody will give it input. */
    private static boolean keepsClaim(RunStep step) {
        return !step.stopped() && step.planned.definition().ending().onNeedsInput() == OnNeedsInput.KEEP;
    }

    private static LiveClaim lease(@Nullable Unit unit, UnitId id) {
        if (unit == null || unit.lease == null) {
            throw new IllegalStateException("expected the claim of " + id + ", found none");
        }
        return unit.lease;
    }

    @Override
    public Optional<ClaimStatus> findClaim(UnitId unit) {
        Unit found = org.find(unit);
        return found == null || found.lease == null ? Optional.empty() : Optional.of(status(found.lease));
    }

    private static ClaimStatus status(LiveClaim lease) {
        return new ClaimStatus(lease.claim, lease.unit.fence, lease.cancelRequested, lease.endsAt());
    }

    @Override
    public ClaimStatus extend(UnitId unit, long now) {
        LiveClaim lease = lease(org.find(unit), unit);
        org.claims.extend(lease, now);
        return status(lease);
    }
}
