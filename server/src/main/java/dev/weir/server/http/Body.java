package dev.weir.server.http;

import dev.weir.api.Invalid;
import dev.weir.api.Json;
import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.core.naming.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;

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
            throw refused(e, text);
        }
    }

    private static Refused refused(JacksonException e, String text) {
        Finding finding = finding(e, text);
        String where = finding.line() == null ? "" : " (line " + finding.line() + ", column " + finding.column() + ")";
        String pointer = finding.pointer() == null || finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
        return Refused.of(Problem.Kind.INVALID_REQUEST, pointer + finding.message() + where, List.of(finding));
    }

    private static Finding finding(JacksonException e, String text) {
        String pointer = pointer(e);
        Optional<Invalid> invalid = cause(e);
        if (invalid.isPresent()) {
            String field = pointer + "/" + invalid.get().field();
            return at(
                    Place.of(text, pointer),
                    field,
                    invalid.get().expected(),
                    invalid.get().found());
        }
        if (e instanceof PropertyBindingException unknown) {
            return unknown(Place.of(text, pointer), unknown, pointer);
        }
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return at(Place.of(text, pointer), pointer, words(mismatch.getTargetType()), found(text, pointer));
        }
        String message = e.getOriginalMessage().lines().findFirst().orElse("it is not");
        Place place = Place.of(e.getLocation());
        return new Finding("expected JSON: " + message, "JSON", null, pointer, place.line(), place.column());
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

    private static String found(String text, String pointer) {
        try {
            JsonNode node = Json.STRICT.readTree(text).at(pointer);
            return node.isMissingNode() ? "nothing" : shortened(node.toString());
        } catch (JacksonException | IllegalArgumentException e) {
            return "something else";
        }
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }
}
