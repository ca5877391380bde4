package dev.weir.core.state;

import dev.weir.core.json.StorableJson;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an event at one trigger.
 *
 * @param run the run that it started; absent if it started none
 * @param window the number of the debounce window that it went into; 0 = none
 * @param reason the reason why it started no run, in words; absent if none is needed
 */
public record EventOutcome(
        TriggerId trigger,
        Kind kind,
        @Nullable String run,
        long window,
        @Nullable String reason) {
    public static final int REASON_CHARS_MAX = 2_000;
    public static final long NO_WINDOW = 0;

    public EventOutcome {
        reason = reason == null ? null : StorableJson.sanitize(reason, REASON_CHARS_MAX);
    }

    /** The kind of an outcome. */
    public enum Kind {
        /** It started a run. */
        STARTED,
        /** It waits in a debounce window, or was merged into the run of that window. */
        DEBOUNCED,
        /** The trigger's condition is false. */
        FILTERED,
        /** The chain of runs and events before the run would be too long. */
        CASCADE,
        /** An expression failed, or the workflow refused the start. */
        FAILED;

        /** The word for it in rows and on the wire. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static EventOutcome started(TriggerId trigger, String run) {
        return new EventOutcome(trigger, Kind.STARTED, run, NO_WINDOW, null);
    }

    public static EventOutcome debounced(TriggerId trigger, long window) {
        return new EventOutcome(trigger, Kind.DEBOUNCED, null, window, null);
    }

    public static EventOutcome filtered(TriggerId trigger) {
        return new EventOutcome(trigger, Kind.FILTERED, null, NO_WINDOW, null);
    }

    public static EventOutcome failed(TriggerId trigger, String reason) {
        return new EventOutcome(trigger, Kind.FAILED, null, NO_WINDOW, reason);
    }

    public static EventOutcome cascade(TriggerId trigger, String reason) {
        return new EventOutcome(trigger, Kind.CASCADE, null, NO_WINDOW, reason);
    }
}
