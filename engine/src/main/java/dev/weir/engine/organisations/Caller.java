package dev.weir.engine.organisations;

import dev.weir.core.state.Rights;

/**
 * The holder of a valid API token.
 *
 * @param org the organisation to which the token belongs
 * @param token the name of the token
 */
public record Caller(String org, String token, Rights rights) {}
