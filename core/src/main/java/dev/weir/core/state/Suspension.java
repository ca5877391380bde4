package dev.weir.core.state;

import dev.weir.core.json.StorableJson;

/**
 * The suspension of an organisation: nothing of it starts, what runs may finish.
 *
 * @param since the time of the decision
 * @param reason the reason that the administrator gave; empty if none
 */
public record Suspension(long since, String reason) {
    /** The longest reason that is kept, in characters. */
    public static final int REASON_CHARS_MAX = 2_000;

    /** Shortens the reason and makes it storable, whatever the administrator sent. */
    public Suspension {
        reason = StorableJson.sanitize(reason, REASON_CHARS_MAX);
    }
}
