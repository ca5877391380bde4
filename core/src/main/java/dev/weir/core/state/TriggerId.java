package dev.weir.core.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;

/** The id of a trigger within its organisation. Triggers are handled in this order. */
public record TriggerId(String workflow, String trigger) implements Comparable<TriggerId> {
    private static final Comparator<TriggerId> ORDER =
            Comparator.comparing(TriggerId::workflow).thenComparing(TriggerId::trigger);

    /**
     * Returns the id of the run that an event, or a time, starts. Names contain no colon, so no two triggers and causes
     * share one.
     */
    public String runOf(String cause) {
        String run = workflow + ':' + trigger + ':' + cause;
        return run.length() <= RunRequest.RUN_CHARS_MAX ? run : "triggered:" + hash(run);
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public int compareTo(TriggerId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return workflow + "/" + trigger;
    }
}
