package dev.weir.cli.rig;

import tools.jackson.databind.JsonNode;

/**
 * The demand of a step on a shared limit, as the workflow declares it and as the claim log records it.
 *
 * @param parallelism the capacity; 0 = unlimited
 * @param rate the starts per period; 0 = unlimited
 * @param period the period in microseconds
 */
record Need(String limit, int parallelism, int weight, int rate, long period, int cost) {
    private static final long SECOND = 1_000_000;

    static Need ofParallelism(String key, int parallelism, int weight) {
        return new Need("key:" + key, parallelism, weight, 0, 0, 1);
    }

    static Need ofRate(String key, int parallelism, int ratePerSecond, int cost) {
        return new Need("key:" + key, parallelism, 1, ratePerSecond, SECOND, cost);
    }

    static Need of(JsonNode json) {
        JsonNode rate = json.path("rate");
        return new Need(
                json.path("limit").asString(),
                json.path("parallelism").asInt(0),
                json.path("weight").asInt(1),
                rate.path(0).asInt(0),
                rate.path(1).asLong(0),
                json.path("cost").asInt(1));
    }
}
