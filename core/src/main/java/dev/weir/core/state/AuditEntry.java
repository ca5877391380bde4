package dev.weir.core.state;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A change by a person or a token, as the audit keeps it. Each entry contains the hash of the entry before it, so that
 * an entry that is edited, removed, moved or inserted breaks the chain.
 *
 * @param number the position in the chain, from 1
 * @param at the time of the decision
 * @param change the command and its effect
 * @param previousHash the hash of the entry before it
 * @param hash the hash of all other fields
 */
public record AuditEntry(long number, long at, Attribution by, Change change, String previousHash, String hash) {
    /** The name of the form that is hashed. A change of the form needs a new name. */
    static final String FORM = "weir-audit-1";

    private static final int ABSENT = -1;

    /**
     * A command and its effect.
     *
     * @param action the name of the command, such as {@code pin_key}
     * @param target the thing that was changed, such as {@code key:billing}
     * @param before the changed part of the target's state before the command, as canonical JSON; absent if none
     * @param after the same part after the command
     */
    public record Change(
            String action,
            String target,
            @Nullable String before,
            @Nullable String after) {}

    /** Creates the entry that follows a head. */
    public static AuditEntry after(AuditHead head, Attribution by, Change change, long at) {
        long number = head.count() + 1;
        return new AuditEntry(number, at, by, change, head.hash(), hash(number, at, by, change, head.hash()));
    }

    /** The head of the chain whose last entry this is. */
    public AuditHead head() {
        return new AuditHead(number, hash);
    }

    /** True if the hash is that of the other fields. */
    public boolean isIntact() {
        return hash.equals(hash(number, at, by, change, previousHash));
    }

    private static String hash(long number, long at, Attribution by, Change change, String previousHash) {
        var form = new ByteArrayOutputStream();
        add(form, FORM);
        add(form, String.valueOf(number));
        add(form, String.valueOf(at));
        add(form, by.actor());
        add(form, by.origin().word());
        add(form, by.requestId());
        add(form, by.reason());
        add(form, change.action);
        add(form, change.target);
        add(form, change.before);
        add(form, change.after);
        add(form, previousHash);
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(form.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds a field with its length, so that no text can look like the end of a field. */
    private static void add(ByteArrayOutputStream form, @Nullable String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        form.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .putInt(text == null ? ABSENT : bytes.length)
                .array());
        form.writeBytes(bytes);
    }
}
