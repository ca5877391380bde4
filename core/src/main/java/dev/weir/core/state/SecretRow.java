package dev.weir.core.state;

import java.util.regex.Pattern;

/**
 * The stored form of a secret, without its value. Rules never see a value, sealed or not.
 *
 * @param version the number of values that it has had
 * @param keyId identifies the key with which the value is sealed
 */
public record SecretRow(String name, int version, String keyId, long changedAt) {
    /** The names that steps can use in {@code secrets.NAME}. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

    /** The longest value of a secret, in bytes of UTF-8. */
    public static final int BYTES_MAX = 16 * 1024;
}
