package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command about a shared limit. It carries no data. */
public sealed interface KeyCommand<A> extends Command<A> permits PauseKey, PinKey, ResetRate, ResumeKey, UnpinKey {
    A decide(KeyControl keys, long now);

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
}
