package dev.weir.core.life;

import tools.jackson.databind.JsonNode;

/**
 * A signal that was sent to a run before any of its steps waited for it.
 *
 * @param number orders the signals of a run by when they came
 */
public record Signal(String run, long number, String name, JsonNode payload, long at) {}
