package dev.weir.core.command;

import dev.weir.core.definition.Workflow;
import dev.weir.core.state.WorkflowVersion;
import java.util.Optional;

/** Registers workflows. */
public interface WorkflowControl {
    /** Returns the newest registered version of a workflow. */
    Optional<WorkflowVersion> findWorkflow(String name);

    /** Makes this the newest version of a workflow. */
    void register(Workflow workflow, WorkflowVersion version, long now);
}
