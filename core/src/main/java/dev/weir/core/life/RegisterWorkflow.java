package dev.weir.core.life;

import dev.weir.core.definition.KeptForm;
import dev.weir.core.definition.Schedule;
import dev.weir.core.definition.Workflow;

/**
 * Makes a workflow known; runs that start from now on by its name are of this version. The same content again is no new
 * version. What is too large to be kept is refused with {@link dev.weir.core.definition.InvalidDefinition}.
 */
public record RegisterWorkflow(Workflow workflow) implements Command<RegisterWorkflow.Answer> {
    public RegisterWorkflow {
        KeptForm.check(workflow);
        Schedule.check(workflow);
    }

    /** What the one who registers is told. */
    public sealed interface Answer {
        int version();

        /** A new version. */
        record Registered(int version) implements Answer {}

        /** The newest version has the same content. */
        record Unchanged(int version) implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        String hash = workflow.contentHash();
        WorkflowVersion newest = org.workflows.get(workflow.name());
        if (newest != null && newest.hash().equals(hash)) {
            return new Answer.Unchanged(newest.version());
        }
        int version = newest == null ? 1 : newest.version() + 1;
        org.workflows.put(workflow.name(), new WorkflowVersion(version, hash));
        org.moves.add(new Move.WorkflowRegistered(workflow, version, hash, now));
        return new Answer.Registered(version);
    }
}
