package dev.weir.core.state;

import dev.weir.core.json.StorableJson;
import org.jspecify.annotations.Nullable;

/**
 * The source of a change: its actor, the way by which it came, and the reason. It accompanies a command from the
 * request to the row that the command writes.
 *
 * @param actor the name of an API token, of a worker, or of the Java program
 * @param requestId the id under which the caller can find its request again
 * @param reason the caller's own words; absent if it gave none
 */
public record Attribution(
        String actor,
        ChangeOrigin origin,
        String requestId,
        @Nullable String reason) {
    public static final int ACTOR_CHARS_MAX = 200;
    public static final int REQUEST_CHARS_MAX = 256;
    public static final int REASON_CHARS_MAX = 2_000;

    /** The Java program in whose process the node runs. */
    public static final Attribution PROGRAM = new Attribution("this process", ChangeOrigin.PROGRAM, "", null);

    /** Weir itself. */
    public static final Attribution WEIR = new Attribution("weir", ChangeOrigin.WEIR, "", null);

    /** Shortens the texts and makes them storable, whatever the caller sent. */
    public Attribution {
        actor = StorableJson.sanitize(actor, ACTOR_CHARS_MAX);
        requestId = StorableJson.sanitize(requestId, REQUEST_CHARS_MAX);
        reason = reason == null ? null : StorableJson.sanitize(reason, REASON_CHARS_MAX);
    }

    public Attribution withReason(@Nullable String newReason) {
        return new Attribution(actor, origin, requestId, newReason);
    }
}
