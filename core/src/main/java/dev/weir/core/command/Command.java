package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request that changes an organisation. Each command contains its own rule, in its own file. The rule sees ids and
 * stored records, and acts through the interface of its topic.
 *
 * @param <A> the answer to the caller
 */
public sealed interface Command<A>
        permits CloseDeadLetter,
                ConfigureRunLimits,
                DeleteRun,
                KeyCommand,
                OrganisationCommand,
                ReceiveEvent,
                RecordDeadLetter,
                RecordDifference,
                RegisterWorkflow,
                RunCommand,
                SecretCommand,
                SetWorkflowAvailability,
                StepCommand,
                SubmitToTrigger,
                TokenCommand,
                WithState,
                WorkerCommand {
    /** Decides the command and carries out the decision. */
    A decide(OrganisationControls org, long now);

    /** Returns the JSON that the command will store; null if it carries none. Its size counts against a batch. */
    @Nullable
    JsonNode data();

    /** Returns the run, and the step if there is one, that the command is about, in words; null if there is none. */
    @Nullable
    String describeTarget();
}
