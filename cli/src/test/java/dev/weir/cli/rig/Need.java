package dev.weir.cli.rig;

import tools.jackson.databind.JsonNode;

/**
 * What a step asks of a shared limit, as its workflow says it, and as the log of claims has it.
 *
 * @param parallelism 0 = not limited
 * @param rate 0 = not limited
 * @param period in microseconds
 */
record Need(String limit, int parallelism, int weight, int rate, long period, int cost) {
    private static final long SECOND = 1_000_000;

    static Need holding(String key, int parallelism, int weight) {
        return new Need("key:" + key, parallelism, weight, 0, 0, 1);
    }

    static Need starting(String key, int parallelism, int ratePerSecond, int cost) {
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
