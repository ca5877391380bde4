package dev.weir.core.reading;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in a text, the name before it, and the values within it. A tree, in which each value has its own
 * name alone: the whole pointers of all values could be thousands of times the text.
 */
final class Places {
    private final Map<String, Places> within = new HashMap<>();
    private Position name = Position.START;
    private Position value = Position.START;

    Position name() {
        return name;
    }

    /** Where it begins. */
    Position value() {
        return value;
    }

    void put(Position name, Position value) {
        this.name = name;
        this.value = value;
    }

    /** The place of a value within this one, to be put. */
    Places add(String name) {
        Places place = new Places();
        within.put(Paths.escape(name), place);
        return place;
    }

    /** The place of the value at a JSON pointer from here, if there is one. */
    @Nullable
    Places find(String pointer) {
        Places place = this;
        for (int at = 0; at < pointer.length() && place != null; ) {
            int end = pointer.indexOf('/', at + 1);
            int until = end < 0 ? pointer.length() : end;
            place = place.within.get(pointer.substring(at + 1, until));
            at = until;
        }
        return place;
    }
}
