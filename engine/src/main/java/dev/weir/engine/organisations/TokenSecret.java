package dev.weir.engine.organisations;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A new API token, or the secret of a session or of a link that signs in. It is shown once; the store has its hash only.
 */
public record TokenSecret(String value) {
    private static final String PREFIX = "weir_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Creates an API token. */
    public static TokenSecret create() {
        return create(PREFIX);
    }

    /** Creates a secret that begins with a prefix, by which people and scanners of sources recognise its kind. */
    public static TokenSecret create(String prefix) {
        byte[] secret = new byte[BYTES];
        RANDOM.nextBytes(secret);
        return new TokenSecret(prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
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
