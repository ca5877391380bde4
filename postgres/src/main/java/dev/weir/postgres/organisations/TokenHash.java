package dev.weir.postgres.organisations;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 hash of an API token: the store holds this instead of the token. */
record TokenHash(String hex) {
    TokenHash(byte[] bytes) {
        this(HexFormat.of().formatHex(bytes));
    }

    static TokenHash of(String token) {
        return new TokenHash(sha256(token));
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
