package dev.weir.core.command;

import dev.weir.core.state.WorkflowAvailability;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Pauses, archives or opens a workflow, all of its versions and its triggers. Runs that have started go on. The answer
 * is false if no workflow of that name is registered.
 */
public record SetWorkflowAvailability(String workflow, WorkflowAvailability availability)
        implements Command<Boolean>, AuditedCommand {
    @Override
    public Boolean decide(OrganisationControls org, long now) {
        if (org.workflows().findWorkflow(workflow).isEmpty()) {
            return false;
        }
        if (org.stops().availability(workflow) != availability) {
            org.stops().changeAvailability(workflow, availability, now);
        }
        return true;
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return "workflow " + workflow;
    }

    @Override
    public String auditTarget() {
        return "workflow:" + workflow;
    }

    @Override
    public JsonNode auditState(OrganisationControls org, long now) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("availability", org.stops().availability(workflow).word());
    }
}
