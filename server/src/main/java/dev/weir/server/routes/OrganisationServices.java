package dev.weir.server.routes;

import dev.weir.engine.organisations.OrganisationStore;
import java.util.function.Consumer;

/**
 * What the routes of the node's administrators need besides the engine.
 *
 * @param forgetTokens forgets the cached tokens of an organisation
 */
public record OrganisationServices(OrganisationStore store, Consumer<String> forgetTokens) {}
