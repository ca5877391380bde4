package dev.weir.core.command;

import dev.weir.core.definition.CronSchedule;
import dev.weir.core.definition.DefinitionProblem;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.StoredDefinitionSize;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.WorkflowVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Registers a workflow. Runs that are started by its name from now on use this version. The same content again makes no
 * new version. Creating the command throws {@link InvalidDefinition} if the workflow is too large to store, or its name
 * is reserved.
 */
public record RegisterWorkflow(Workflow workflow) implements Command<RegisterWorkflow.Answer>, AuditedCommand {
    public RegisterWorkflow {
        if (Workflow.isReserved(workflow.name()) && !workflow.equals(TriggerCall.workflow())) {
            throw new InvalidDefinition(List.of(new DefinitionProblem(
                    "/workflow",
                    "a name that does not begin with weir., because such names are reserved",
                    "'" + workflow.name() + "'")));
        }
        StoredDefinitionSize.check(workflow);
        CronSchedule.check(workflow);
    }

    /** The answer to the caller. */
    public sealed interface Answer {
        int version();

        /** A new version was registered. */
        record Registered(int version) implements Answer {}

        /** The newest version has the same content. */
        record Unchanged(int version) implements Answer {}
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public @Nullable String describeTarget() {
        return null;
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        String hash = workflow.contentHash();
        WorkflowVersion newest = org.workflows().findWorkflow(workflow.name()).orElse(null);
        if (newest != null && newest.hash().equals(hash)) {
            return new Answer.Unchanged(newest.version());
        }
        int version = newest == null ? 1 : newest.version() + 1;
        org.workflows().register(workflow, WorkflowVersion.of(workflow, version, hash), now);
        return new Answer.Registered(version);
    }

    @Override
    public String auditTarget() {
        return "workflow:" + workflow.name();
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.workflows()
                .findWorkflow(workflow.name())
                .map(found -> JsonNodeFactory.instance
                        .objectNode()
                        .put("version", found.version())
                        .put("hash", found.hash()))
                .orElse(null);
    }
}
