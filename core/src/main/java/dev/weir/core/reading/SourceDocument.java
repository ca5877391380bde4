package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionBounds;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A text read as JSON values, with the position of each value in the text. */
final class SourceDocument {
    static final int ALIASES_MAX = 100;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String text;
    private final JsonNode root;
    private final SourcePlaces places;
    private final boolean stored;

    private SourceDocument(String text, JsonNode root, SourcePlaces places, boolean stored) {
        this.text = text;
        this.root = root;
        this.places = places;
        this.stored = stored;
    }

    /** Reads a text. If it begins like a JSON object or list, it is read as strict JSON, else as YAML 1.2. */
    static SourceDocument read(String file) throws UnreadableText {
        String text = file.startsWith(BYTE_ORDER_MARK) ? file.substring(1) : file;
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > DefinitionBounds.DEFINITION_BYTES_MAX) {
            String expected = "expected at most " + DefinitionBounds.DEFINITION_BYTES_MAX + " bytes";
            throw new UnreadableText(TextPosition.START, expected + ", found " + bytes);
        }
        var places = new SourcePlaces();
        JsonNode root =
                beginsLikeJson(text) ? JsonReader.forRequest(text, places).read() : new YamlReader(text, places).read();
        return new SourceDocument(text, root, places, false);
    }

    /**
     * Reads stored JSON. The bounds of a caller's text do not apply, because stored definitions must stay readable for
     * ever.
     */
    static SourceDocument readStored(String text) throws UnreadableText {
        var places = new SourcePlaces();
        return new SourceDocument(text, JsonReader.forStored(text, places).read(), places, true);
    }

    private static boolean beginsLikeJson(String text) {
        String start = text.stripLeading();
        if (start.startsWith("[")) {
            return true;
        }
        String inside = start.startsWith("{") ? start.substring(1).stripLeading() : "";
        return inside.startsWith("\"") || inside.startsWith("}");
    }

    /** True if the text is stored JSON, which was checked before. */
    boolean isStored() {
        return stored;
    }

    JsonNode root() {
        return root;
    }

    /** Returns the position of a value, or of the nearest enclosing value that has one. */
    TextPosition valueAt(String path) {
        return nearestPlace(path).value();
    }

    TextPosition nameAt(String path) {
        return nearestPlace(path).name();
    }

    /** Returns the position of a character of a text value, as exactly as quotes, escapes and folded lines allow. */
    TextPosition characterAt(String path, String value, int offset) {
        SourcePlaces place = places.find(path);
        return place == null ? valueAt(path) : new SourceText(text).align(place.value(), value, offset);
    }

    private SourcePlaces nearestPlace(String path) {
        for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
            @Nullable SourcePlaces place = places.find(FieldSynonyms.resolve(root, at));
            if (place != null) {
                return place;
            }
        }
        return places;
    }
}
