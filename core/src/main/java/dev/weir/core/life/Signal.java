package dev.weir.core.life;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A signal that was sent to a run before any of its steps waited for it.
 *
 * @param id what tells it from others, if the one who sent it gave it one
 * @param number orders the signals of a run by when they came
 */
public record Signal(String run, @Nullable String id, long number, String name, JsonNode payload, long at) {}
