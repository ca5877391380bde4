package dev.weir.bench.database;

/** The 200 bytes of JSON that every job has as its payload and as its result. */
final class Payload {
    static final String JSON = "{\"text\":\"" + "x".repeat(200 - "{\"text\":\"\"}".length()) + "\"}";

    private Payload() {}
}
