package dev.weir.server.routes;

import dev.weir.engine.organisations.DeletionStore;
import dev.weir.engine.organisations.OrganisationStore;
import java.util.function.Consumer;

/**
 * The ports that the routes of organisations, and of their secrets, use besides the engine.
 *
 * @param forgetTokens forgets the cached tokens of an organisation
 */
public record OrganisationPorts(
        OrganisationStore store,
        Consumer<String> forgetTokens,
        SecretPorts secrets,
        DeletionStore deletions,
        SessionPorts sessions) {}
