package dev.weir.core.state;

import org.jspecify.annotations.Nullable;

/**
 * A time in which nothing starts under a key, because a called service asked for it.
 *
 * @param status the HTTP status of the service's response; absent if a worker reported it
 * @param by the step or item that got the response; absent if that was not stored
 */
public record RetryAfterHold(
        long until, @Nullable Integer status, @Nullable UnitId by) {}
