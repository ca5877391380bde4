package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Records that the memory of an organisation differed from its rows and was corrected, so that a notice is issued. */
public record RecordDifference() implements Command<Boolean> {
    @Override
    public Boolean decide(OrganisationControls org, long now) {
        org.notices().recordDifference(now);
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
