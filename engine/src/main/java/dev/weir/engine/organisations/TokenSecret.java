package dev.weir.engine.organisations;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** A new API token. It is shown once; the store has its hash only. */
public record TokenSecret(String value) {
    private static final String PREFIX = "weir_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    public static TokenSecret create() {
        byte[] secret = new byte[BYTES];
        RANDOM.nextBytes(secret);
        return new TokenSecret(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** The SHA-256 of the token, as hexadecimal digits. */
    public String hash() {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
