package dev.weir.core.command;

import dev.weir.core.state.Suspension;
import org.jspecify.annotations.Nullable;

/**
 * Suspends an organisation: from the answer on, nothing of it starts. What runs may finish, and reports, heartbeats and
 * other changes are accepted. A suspended organisation stays as it is.
 */
public record SuspendOrganisation(
        String organisation, @Nullable String reason) implements OrganisationCommand<Suspension> {
    @Override
    public Suspension decide(OrganisationControls org, long now) {
        return org.stops().suspension().orElseGet(() -> {
            var suspension = new Suspension(now, reason == null ? "" : reason);
            org.stops().changeSuspension(suspension, now);
            return suspension;
        });
    }
}
