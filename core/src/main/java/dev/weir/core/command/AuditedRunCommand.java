package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command about one run that is recorded in the audit. By default, the entry has the run's state and its ending. */
public interface AuditedRunCommand extends AuditedCommand {
    String run();

    @Override
    default String auditTarget() {
        return "run:" + run();
    }

    @Override
    default @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return AuditValues.run(org.runs(), run());
    }
}
