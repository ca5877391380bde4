package dev.weir.core.command;

import dev.weir.core.limit.LimitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A command about a shared limit. It carries no data. */
public sealed interface KeyCommand<A> extends Command<A>, AuditedCommand
        permits PauseKey, PinKey, ResetRate, ResumeKey, UnpinKey {
    A decide(KeyControl keys, long now);

    /** The limit that the command changes. */
    LimitId.Shared limit();

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.keys(), now);
    }

    @Override
    default @Nullable JsonNode data() {
        return null;
    }

    @Override
    default @Nullable String describeTarget() {
        return null;
    }

    @Override
    default String auditTarget() {
        return limit().text();
    }

    @Override
    default @Nullable JsonNode auditState(OrganisationControls org, long now) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        org.keys().findPin(limit(), now).ifPresent(pin -> json.set("pin", AuditValues.pin(pin)));
        org.keys()
                .findPause(limit(), now)
                .ifPresent(until -> json.put("paused", true).put("paused_until", AuditValues.time(until)));
        org.keys().findHold(limit(), now).ifPresent(until -> json.put("held_until", AuditValues.time(until)));
        return json;
    }
}
