package dev.weir.core.reading;

import dev.weir.core.json.JsonPointers;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The position of a value in a text, of the name before it, and of the values within it. It is a tree in which each
 * value stores only its own name: the full pointers of all values could take thousands of times the size of the text.
 */
final class SourcePlaces {
    private final Map<String, SourcePlaces> children = new HashMap<>();
    private TextPosition name = TextPosition.START;
    private TextPosition value = TextPosition.START;

    TextPosition name() {
        return name;
    }

    /** The position where the value begins. */
    TextPosition value() {
        return value;
    }

    void put(TextPosition name, TextPosition value) {
        this.name = name;
        this.value = value;
    }

    /** Adds a value within this one. The caller sets its position. */
    SourcePlaces add(String name) {
        SourcePlaces place = new SourcePlaces();
        children.put(JsonPointers.escape(name), place);
        return place;
    }

    /** Returns the value at a JSON pointer from here, or null if there is none. */
    @Nullable
    SourcePlaces find(String pointer) {
        SourcePlaces place = this;
        for (int at = 0; at < pointer.length() && place != null; ) {
            int end = pointer.indexOf('/', at + 1);
            int until = end < 0 ? pointer.length() : end;
            place = place.children.get(pointer.substring(at + 1, until));
            at = until;
        }
        return place;
    }
}
