package dev.weir.core.state;

import dev.weir.core.definition.Workflow;

/**
 * The newest registered version of a workflow.
 *
 * @param version the version, from 1
 * @param hash the hash of its content
 * @param triggers its triggers
 */
public record WorkflowVersion(int version, String hash, WorkflowTriggers triggers) {
    /** Creates the version of a workflow without triggers. */
    public WorkflowVersion(int version, String hash) {
        this(version, hash, WorkflowTriggers.NONE);
    }

    public static WorkflowVersion of(Workflow workflow, int version, String hash) {
        return new WorkflowVersion(version, hash, WorkflowTriggers.of(workflow));
    }
}
