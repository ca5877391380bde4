package dev.weir.core.command;

import dev.weir.core.state.NoticeSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Sets the thresholds of notices when an organisation is loaded. They are settings of the node and are not stored. */
public record ConfigureNotices(NoticeSettings settings) implements Command<Boolean> {
    @Override
    public Boolean decide(OrganisationControls org, long now) {
        org.notices().configure(settings);
        return true;
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public @Nullable String describeTarget() {
        return null;
    }
}
