package dev.weir.core.command;

import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/** The parts of an organisation that commands act on, one for each topic. */
public interface OrganisationControls {
    RunControl runs();

    StepControl steps();

    KeyControl keys();

    WorkControl work();

    WorkflowControl workflows();

    TokenControl tokens();

    StopControl stops();

    SecretControl secrets();

    EventControl events();

    DeadLetterControl deadLetters();

    NoticeControl notices();

    /**
     * Watches the state of a live run and step, also beyond their end.
     *
     * @param step the step or item; null = none
     */
    StateWatch watch(String run, @Nullable UnitId step);
}
