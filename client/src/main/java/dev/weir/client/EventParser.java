package dev.weir.client;

import dev.weir.api.LiveEvent;
import dev.weir.api.WireJson;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Reads server-sent events line by line. It ignores events and fields that it does not know. */
final class EventParser {
    /** The events with data. A name that is not listed is of a later version of the server, and is ignored. */
    private static final Map<String, Class<? extends LiveEvent>> TYPES = Map.of(
            LiveEvent.Reset.NAME, LiveEvent.Reset.class,
            LiveEvent.RunEvent.NAME, LiveEvent.RunEvent.class,
            LiveEvent.StepEvent.NAME, LiveEvent.StepEvent.class,
            LiveEvent.KeyEvent.NAME, LiveEvent.KeyEvent.class,
            LiveEvent.DeadLetterEvent.NAME, LiveEvent.DeadLetterEvent.class,
            LiveEvent.NoticeEvent.NAME, LiveEvent.NoticeEvent.class);

    private static final int DATA_CHARS_MAX = 1 << 20;

    private final StringBuilder data = new StringBuilder();
    private String name = "";
    private @Nullable String id;
    private @Nullable String lastId;

    /** The id of the last event; absent before the first. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** Reads a line. Returns an event if the line ends one. */
    Optional<LiveEvent> read(String line) {
        if (line.isEmpty()) {
            return finish();
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        value = value.startsWith(" ") ? value.substring(1) : value;
        switch (field) {
            case "id" -> id = value;
            case "event" -> name = value;
            case "data" -> {
                if (data.length() + value.length() > DATA_CHARS_MAX) {
                    throw new IllegalArgumentException("expected an event of at most 1 MiB, found a longer one");
                }
                data.append(data.length() == 0 ? "" : "\n").append(value);
            }
            default -> {
                // A comment, or a field for browsers.
            }
        }
        return Optional.empty();
    }

    private Optional<LiveEvent> finish() {
        String text = data.toString();
        Optional<LiveEvent> event = text.isEmpty() ? Optional.empty() : parse(name, text);
        lastId = id == null ? lastId : id;
        reset();
        return event;
    }

    /** Forgets an event that the end of a connection has cut off. */
    void reset() {
        data.setLength(0);
        name = "";
        id = null;
    }

    private static Optional<LiveEvent> parse(String name, String text) {
        if (name.equals(LiveEvent.Opened.NAME)) {
            return Optional.of(new LiveEvent.Opened());
        }
        Class<? extends LiveEvent> type = TYPES.get(name);
        if (type == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(WireJson.LENIENT.readValue(text, type));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("expected an event of Weir, found something else", e);
        }
    }
}
