package dev.weir.engine.live;

import java.util.List;

/**
 * The next part of a subscription.
 *
 * @param reason the reason for a reset or an end; empty otherwise
 * @param changes the changes, in order
 * @param lastId the id after which the reader can resume
 */
public record ChangeBatch(Kind kind, String reason, List<NumberedChange> changes, String lastId) {
    /** The kind of a part. */
    public enum Kind {
        /** The subscription begins. Changes committed from now on follow. */
        OPENED,
        /** Changes may be missing. The reader must read the state again. */
        RESET,
        CHANGES,
        /** Nothing happened within the time. */
        IDLE,
        /** No more changes follow. The reader may subscribe again and resume. */
        ENDED
    }

    /** A change and the id after which a reader that has received it can resume. */
    public record NumberedChange(String id, ChangeEvent event) {}

    public ChangeBatch {
        changes = List.copyOf(changes);
    }
}
