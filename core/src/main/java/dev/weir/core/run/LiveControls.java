package dev.weir.core.run;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.command.EventControl;
import dev.weir.core.command.KeyControl;
import dev.weir.core.command.NoticeControl;
import dev.weir.core.command.OrganisationControls;
import dev.weir.core.command.RunControl;
import dev.weir.core.command.SecretControl;
import dev.weir.core.command.StateWatch;
import dev.weir.core.command.StepControl;
import dev.weir.core.command.StopControl;
import dev.weir.core.command.TokenControl;
import dev.weir.core.command.WorkControl;
import dev.weir.core.command.WorkflowControl;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/** Gives commands access to a live organisation. */
final class LiveControls implements OrganisationControls {
    private final LiveOrganisation org;
    private final StepControl steps;
    private final WorkControl work;

    LiveControls(LiveOrganisation org) {
        this.org = org;
        this.steps = new LiveStepControl(org);
        this.work = new LiveWorkControl(org);
    }

    @Override
    public RunControl runs() {
        return org.runControl;
    }

    @Override
    public StepControl steps() {
        return steps;
    }

    @Override
    public KeyControl keys() {
        return org.operatorSettings;
    }

    @Override
    public WorkControl work() {
        return work;
    }

    @Override
    public WorkflowControl workflows() {
        return org.workflows;
    }

    @Override
    public TokenControl tokens() {
        return org.tokens;
    }

    @Override
    public SecretControl secrets() {
        return org.secrets;
    }

    @Override
    public StopControl stops() {
        return org.stops;
    }

    @Override
    public EventControl events() {
        return org.events;
    }

    @Override
    public DeadLetterControl deadLetters() {
        return org.deadLetters;
    }

    @Override
    public NoticeControl notices() {
        return org.notices;
    }

    @Override
    public StateWatch watch(String run, @Nullable UnitId step) {
        return new LiveWatch(org.runs.find(run), step == null ? null : org.find(step));
    }

    /** Reads the states from the live objects, which keep their last state when they end. */
    private static final class LiveWatch implements StateWatch {
        private final @Nullable Run run;
        private final @Nullable Unit unit;

        private LiveWatch(@Nullable Run run, @Nullable Unit unit) {
            this.run = run;
            this.unit = unit;
        }

        @Override
        public @Nullable RunState run() {
            return run == null ? null : run.state;
        }

        @Override
        public @Nullable StepState step() {
            return unit == null ? null : unit.state;
        }
    }
}
