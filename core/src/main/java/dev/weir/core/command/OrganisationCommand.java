package dev.weir.core.command;

import dev.weir.core.state.Suspension;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A command of the node's administration about an organisation as a whole. */
public sealed interface OrganisationCommand<A> extends Command<A>, AuditedCommand
        permits ResumeOrganisation, SuspendOrganisation {
    /** The name of the organisation, for the audit. */
    String organisation();

    @Override
    default @Nullable JsonNode data() {
        return null;
    }

    @Override
    default String describeTarget() {
        return "organisation " + organisation();
    }

    @Override
    default boolean isOfAdministration() {
        return true;
    }

    @Override
    default String auditTarget() {
        return "organisation:" + organisation();
    }

    @Override
    default JsonNode auditState(OrganisationControls org, long now) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Suspension suspension = org.stops().suspension().orElse(null);
        return suspension == null
                ? json.put("suspended", false)
                : json.put("suspended", true).put("since", AuditValues.time(suspension.since()));
    }
}
