package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * A start as a shared limit with a rate remembers it. A list of these, oldest first, is all that is needed to know the
 * usage of every rate again.
 *
 * @param at when it started, in microseconds
 * @param rate the rate that it was judged by, own or pinned; absent if only others of the key have one
 * @param opens whether it opened a window of that rate; without this a list that was cut off could not tell where fixed
 *     windows begin
 */
public record Start(
        LimitId.Shared limit, long at, int cost, @Nullable Rate rate, boolean opens) {}
