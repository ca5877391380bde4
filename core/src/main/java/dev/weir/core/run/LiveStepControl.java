package dev.weir.core.run;

import dev.weir.core.command.StepControl;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Carries out commands on steps and items of live runs. */
final class LiveStepControl implements StepControl {
    private final LiveOrganisation org;

    LiveStepControl(LiveOrganisation org) {
        this.org = org;
    }

    @Override
    public Optional<StepRow> findStep(UnitId unit) {
        return Optional.ofNullable(org.find(unit)).map(Unit::row);
    }

    private Unit get(UnitId id) {
        Unit found = org.find(id);
        if (found == null) {
            throw new IllegalStateException("expected a step or item of a live run, found none with the id " + id);
        }
        return found;
    }

    private RunStep step(UnitId id) {
        return get(id).step();
    }

    @Override
    public boolean isOptional(UnitId step) {
        return step(step).planned.definition().optional();
    }

    @Override
    public boolean isCompensation(UnitId unit) {
        return step(unit).planned.isCompensation();
    }

    @Override
    public boolean isCreatingItems(String run) {
        Run found = org.runs.find(run);
        return found != null && found.isCreatingItems();
    }

    @Override
    public boolean hasMissingOutputData(UnitId step) {
        return MissingData.hasMissingOutputData(step(step));
    }

    @Override
    public Optional<String> findMisfit(UnitId step, JsonNode output) {
        return Optional.ofNullable(org.missingData.misfit(step(step), output));
    }

    @Override
    public void approve(UnitId step, StepRow.Approval approval, long now) {
        RunStep found = step(step);
        found.detail = found.detail.withApproval(approval);
        org.steps.handleApproval(found, now);
    }

    @Override
    public void revoke(UnitId step, StepRow.Approval revocation, long now) {
        RunStep found = step(step);
        found.detail = found.detail.withApproval(revocation);
        org.steps.handleRevocation(found, now);
    }

    @Override
    public boolean isQueued(UnitId unit) {
        return get(unit).ticket != null;
    }

    @Override
    public void runNow(UnitId unit, long now) {
        org.steps.runNow(get(unit), now);
    }

    @Override
    public void skip(UnitId step, long now) {
        org.steps.skip(step(step), now);
    }

    @Override
    public void abandon(UnitId unit, Update.Failed error, long now) {
        org.steps.abandon(get(unit), error, now);
    }

    @Override
    public void provideInput(UnitId unit, JsonNode input, long now) {
        org.inputs.provide(get(unit), input, now);
    }

    @Override
    public void completeWith(UnitId step, JsonNode output, long now) {
        RunStep found = step(step);
        found.detail = found.detail.withDataProblem(null);
        org.steps.complete(found, new Update.Completed(output), now);
        org.steps.advanceRun(found.run, now);
    }

    @Override
    public void amendOutput(UnitId step, JsonNode output, String by, long now) {
        RunStep found = step(step);
        found.lastOutcome = new Update.Completed(output);
        found.run.resultChanged(found);
        org.moves.add(new Move.OutputAmended(found.run().ref, found.row(), by, now));
        org.missingData.recheckSteps(found.run, now);
    }
}
