package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;

/** Which limit refuses, and why. */
public record Refusal(LimitId limit, Cause cause) {}
