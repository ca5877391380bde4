package dev.weir.bench.database;

/** The 200 bytes that every job carries, and every result too. */
final class Payload {
    static final String JSON = "{\"text\":\"" + "x".repeat(200 - "{\"text\":\"\"}".length()) + "\"}";

    private Payload() {}
}
