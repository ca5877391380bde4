package dev.weir.server.http;

import dev.weir.api.Invalid;
import dev.weir.api.Json;
import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.api.Work;
import dev.weir.core.json.Keepable;
import dev.weir.core.naming.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads JSON bodies, and says of those that do not do what was expected, what was found, and where. */
final class Body {
    private static final int SHOWN_CHARS_MAX = 80;

    private Body() {}

    static <T> T read(String text, Class<T> type) {
        if (text.isBlank()) {
            throw Refused.invalid("", "a JSON object", "an empty body");
        }
        try {
            Characters.check(text);
            T read = Json.STRICT.readValue(text, type);
            if (read == null) {
                throw Refused.invalid("", "a JSON object", "null");
            }
            return read;
        } catch (JacksonException e) {
            throw refused(e, Source.of(text));
        }
    }

    /** Reads a body that is an object of one list, and each entry of that on its own. */
    static <T> List<Entry<T>> entries(String text, String field, Class<T> type) {
        JsonNode list = list(text, field);
        List<Entry<T>> entries = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            entries.add(entry("/" + field + "/" + i, list.get(i), type));
        }
        return entries;
    }

    private static JsonNode list(String text, String field) {
        JsonNode body;
        try {
            body = text.isBlank() ? JsonNodeFactory.instance.missingNode() : Json.STRICT.readTree(text);
        } catch (JacksonException e) {
            throw refused(e, Source.of(text));
        }
        if (!body.isObject()) {
            throw Refused.invalid(
                    "",
                    "a JSON object",
                    text.isBlank() ? "an empty body" : Keepable.of(body.toString(), SHOWN_CHARS_MAX));
        }
        for (String name : body.propertyNames()) {
            if (!name.equals(field)) {
                String shown = Keepable.of(name, SHOWN_CHARS_MAX);
                String found = "'" + shown + "'" + Nearest.hint(name, List.of(field));
                throw Refused.invalid("/" + shown, "one of " + field, found);
            }
        }
        JsonNode list = body.get(field);
        if (list == null || !list.isArray()) {
            throw Refused.invalid(
                    "/" + field, "a list", list == null ? "nothing" : Keepable.of(list.toString(), SHOWN_CHARS_MAX));
        }
        if (list.isEmpty() || list.size() > Work.BATCH_MAX) {
            throw Refused.invalid("/" + field, "from 1 to " + Work.BATCH_MAX + " entries", list.size() + "");
        }
        return list;
    }

    private static <T> Entry<T> entry(String at, JsonNode sent, Class<T> type) {
        try {
            String misfit = Keepable.misfit(sent);
            if (misfit != null) {
                throw Refused.invalid(at, "JSON that can be kept", misfit);
            }
            if (sent.isNull()) {
                throw Refused.invalid(at, "an object", "null");
            }
            return new Entry<>(at, sent, Json.STRICT.treeToValue(sent, type), null);
        } catch (JacksonException e) {
            return new Entry<>(at, sent, null, refused(e, Source.of(at, sent)));
        } catch (Refused e) {
            return new Entry<>(at, sent, null, e);
        }
    }

    /**
     * What was read.
     *
     * @param at its place in the body
     * @param place where in the text the value at a pointer within it stands
     * @param found what stands there
     */
    private record Source(String at, Function<String, Place> place, UnaryOperator<String> found) {
        static Source of(String text) {
            return new Source("", pointer -> Place.of(text, pointer), pointer -> found(text, pointer));
        }

        /** An entry of many: its pointer says where it is, and looking for its line would cost the whole text for each. */
        static Source of(String at, JsonNode entry) {
            return new Source(at, pointer -> Place.UNKNOWN, pointer -> Body.found(entry, pointer));
        }

        private static String found(String text, String pointer) {
            try {
                return Body.found(Json.STRICT.readTree(text), pointer);
            } catch (JacksonException e) {
                return "something else";
            }
        }
    }

    private static Refused refused(JacksonException e, Source source) {
        Finding finding = finding(e, source);
        String where = finding.line() == null ? "" : " (line " + finding.line() + ", column " + finding.column() + ")";
        String pointer = finding.pointer() == null || finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
        return Refused.of(Problem.Kind.INVALID_REQUEST, pointer + finding.message() + where, List.of(finding));
    }

    private static Finding finding(JacksonException e, Source source) {
        String within = pointer(e);
        String pointer = source.at + within;
        Place place = source.place.apply(within);
        Optional<Invalid> invalid = cause(e);
        if (invalid.isPresent()) {
            String field = pointer + "/" + invalid.get().field();
            return at(place, field, invalid.get().expected(), invalid.get().found());
        }
        if (e instanceof PropertyBindingException unknown) {
            return unknown(place, unknown, pointer);
        }
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return at(place, pointer, words(mismatch.getTargetType()), source.found.apply(within));
        }
        String message = e.getOriginalMessage().lines().findFirst().orElse("it is not");
        Place broken = Place.of(e.getLocation());
        return new Finding("expected JSON: " + message, "JSON", null, pointer, broken.line(), broken.column());
    }

    private static Finding unknown(Place place, PropertyBindingException unknown, String pointer) {
        Collection<Object> ids = unknown.getKnownPropertyIds();
        List<String> known = ids == null
                ? List.of()
                : ids.stream().map(String::valueOf).sorted().toList();
        String found = "'" + shortened(unknown.getPropertyName()) + "'";
        String expected = "one of " + String.join(", ", known);
        String hint = Nearest.hint(unknown.getPropertyName(), known);
        String message = "expected " + expected + ", found " + found + hint;
        return new Finding(message, expected, found, pointer, place.line(), place.column());
    }

    private static Finding at(Place place, String pointer, String expected, String found) {
        String message = "expected " + expected + ", found " + found;
        return new Finding(message, expected, found, pointer, place.line(), place.column());
    }

    private static Optional<Invalid> cause(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at instanceof Invalid invalid) {
                return Optional.of(invalid);
            }
        }
        return Optional.empty();
    }

    private static String pointer(JacksonException e) {
        return e.getPath().stream()
                .map(step -> step.getPropertyName() == null
                        ? "/" + step.getIndex()
                        : "/"
                                + shortened(step.getPropertyName()
                                        .replace("~", "~0")
                                        .replace("/", "~1")))
                .collect(Collectors.joining());
    }

    private static String words(Class<?> type) {
        if (type == String.class) {
            return "a text";
        }
        if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
            return "a whole number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (List.class.isAssignableFrom(type)) {
            return "a list";
        }
        return Map.class.isAssignableFrom(type) || type.isRecord() ? "an object" : "another value";
    }

    private static String found(JsonNode tree, String pointer) {
        try {
            JsonNode node = tree.at(pointer);
            return node.isMissingNode() ? "nothing" : shortened(node.toString());
        } catch (IllegalArgumentException e) {
            return "something else";
        }
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }
}
