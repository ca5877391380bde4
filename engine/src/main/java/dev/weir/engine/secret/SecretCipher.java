package dev.weir.engine.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets with AES-256-GCM. A sealed value is bound to its organisation and name, so that nobody who can write
 * rows can move it to another one.
 */
public final class SecretCipher {
    /** The length of a key, in bytes. */
    public static final int KEY_BYTES = 32;

    /** The most keys: one that seals, and earlier ones that still open. */
    public static final int KEYS_MAX = 16;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_ID_BYTES = 6;
    private static final String FORM = "weir-secret-1";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<Key> keys;

    private record Key(String id, SecretKeySpec spec) {}

    /**
     * A sealed value.
     *
     * @param keyId identifies the key; it tells nothing about it
     */
    public record Sealed(String keyId, String text) {}

    private SecretCipher(List<Key> keys) {
        this.keys = keys;
    }

    /** Creates a cipher that can seal and open nothing. */
    public static SecretCipher withoutKey() {
        return new SecretCipher(List.of());
    }

    /** Creates a cipher. The first key seals; all of them open. */
    public static SecretCipher of(List<byte[]> keys) {
        List<Key> checked = new ArrayList<>();
        for (byte[] key : keys) {
            if (key.length != KEY_BYTES) {
                throw new IllegalArgumentException(
                        "expected a key of " + KEY_BYTES + " bytes, found one of " + key.length);
            }
            checked.add(new Key(id(key), new SecretKeySpec(key, "AES")));
        }
        return new SecretCipher(List.copyOf(checked));
    }

    /** Returns a new random key. */
    public static byte[] newKey() {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        return key;
    }

    private static String id(byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(FORM.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(key), KEY_ID_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** True if values can be sealed. */
    public boolean hasKey() {
        return !keys.isEmpty();
    }

    public boolean canOpen(String keyId) {
        return keys.stream().anyMatch(key -> key.id.equals(keyId));
    }

    /** Seals a value for an organisation and a name. */
    public Sealed seal(int organisation, String name, String value) {
        Key key = keys.getFirst();
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, organisation, name)
                    .doFinal(value.getBytes(StandardCharsets.UTF_8));
            byte[] all = ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
            return new Sealed(key.id, Base64.getEncoder().encodeToString(all));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-256-GCM", e);
        }
    }

    /**
     * Opens a value. The result is empty without its key, and if it was sealed for another organisation or name, or
     * changed.
     */
    public Optional<String> open(int organisation, String name, Sealed sealed) {
        for (Key key : keys) {
            if (key.id.equals(sealed.keyId)) {
                try {
                    byte[] all = Base64.getDecoder().decode(sealed.text);
                    byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
                    byte[] opened = cipher(Cipher.DECRYPT_MODE, key, nonce, organisation, name)
                            .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
                    return Optional.of(new String(opened, StandardCharsets.UTF_8));
                } catch (GeneralSecurityException | IllegalArgumentException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private static Cipher cipher(int mode, Key key, byte[] nonce, int organisation, String name)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.spec, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((FORM + ":" + organisation + ":" + name).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
