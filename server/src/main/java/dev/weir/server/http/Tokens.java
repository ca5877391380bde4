package dev.weir.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** API tokens: made at random, kept as hashes only. */
public final class Tokens {
    private static final int BYTES = 32;
    private static final String PREFIX = "weir_";

    private Tokens() {}

    /** A new token, 256 bits of chance. */
    public static String create() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What is kept of a token. It has so much chance in it that a fast hash cannot be searched. */
    public static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
