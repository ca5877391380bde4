package dev.weir.core.reading;

import dev.weir.core.definition.Bounds;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A text read as JSON values, and where in the text each of them stands. */
final class Document {
    static final int ALIASES_MAX = 100;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String text;
    private final JsonNode root;
    private final Places places;

    private Document(String text, JsonNode root, Places places) {
        this.text = text;
        this.root = root;
        this.places = places;
    }

    /** Text that begins like a JSON object or list is read as JSON, strictly; all else as YAML 1.2. */
    static Document read(String file) throws Unreadable {
        String text = file.startsWith(BYTE_ORDER_MARK) ? file.substring(1) : file;
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Bounds.DEFINITION_BYTES_MAX) {
            String expected = "expected at most " + Bounds.DEFINITION_BYTES_MAX + " bytes";
            throw new Unreadable(Position.START, expected + ", found " + bytes);
        }
        var places = new Places();
        JsonNode root = beginsLikeJson(text) ? JsonText.sent(text, places).read() : new YamlText(text, places).read();
        return new Document(text, root, places);
    }

    /** Reads JSON that was kept. What bounds a sender's text says nothing of it: it must be readable for ever. */
    static Document readKept(String text) throws Unreadable {
        var places = new Places();
        return new Document(text, JsonText.kept(text, places).read(), places);
    }

    private static boolean beginsLikeJson(String text) {
        String start = text.stripLeading();
        if (start.startsWith("[")) {
            return true;
        }
        String inside = start.startsWith("{") ? start.substring(1).stripLeading() : "";
        return inside.startsWith("\"") || inside.startsWith("}");
    }

    JsonNode root() {
        return root;
    }

    /** Where a value stands, or the nearest value around it that does stand somewhere. */
    Position valueAt(String path) {
        return around(path).value();
    }

    Position nameAt(String path) {
        return around(path).name();
    }

    /** Where a character of a text value stands; as near as its quotes, escapes and folded lines allow. */
    Position characterAt(String path, String value, int offset) {
        Places place = places.find(path);
        return place == null ? valueAt(path) : new RawText(text).align(place.value(), value, offset);
    }

    private Places around(String path) {
        for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
            @Nullable Places place = places.find(Synonyms.resolve(root, at));
            if (place != null) {
                return place;
            }
        }
        return places;
    }
}
