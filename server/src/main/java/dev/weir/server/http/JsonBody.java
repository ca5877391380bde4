package dev.weir.server.http;

import dev.weir.api.InvalidValue;
import dev.weir.api.PlainReader;
import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.api.WireJson;
import dev.weir.api.Work;
import dev.weir.core.json.JsonPointers;
import dev.weir.core.json.StorableJson;
import dev.weir.core.naming.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads JSON bodies. For an invalid body it reports what was expected, what was found, and where. */
final class JsonBody {
    private static final int SHOWN_CHARS_MAX = 80;

    private JsonBody() {}

    static <T> T read(String text, Class<T> type) {
        if (text.isBlank()) {
            throw RefusedRequest.invalid("", "a JSON object", "an empty body");
        }
        T plain = PlainReader.reads(type) ? readPlain(text, type) : null;
        return plain == null ? readAny(text, type) : plain;
    }

    /** Reads a valid body of a frequent type; null if it must be read in the general way. */
    private static <T> @Nullable T readPlain(String text, Class<T> type) {
        try {
            JsonNode body = WireJson.STRICT.readTree(text);
            return StorableJson.findProblem(body) == null ? PlainReader.read(body, type) : null;
        } catch (JacksonException e) {
            return null; // the general reader finds the same error and its position
        }
    }

    private static <T> T readAny(String text, Class<T> type) {
        try {
            StorableCharacters.check(text);
            T read = WireJson.STRICT.readValue(text, type);
            if (read == null) {
                throw RefusedRequest.invalid("", "a JSON object", "null");
            }
            return read;
        } catch (JacksonException e) {
            throw refusal(e, Source.of(text));
        }
    }

    /**
     * Reads a body that may have a list of entries besides its other fields. The entries are read one by one, so that
     * an invalid one does not affect the rest.
     */
    static <T, E> BodyWithEntries<T, E> readWithEntries(String text, Class<T> type, String field, Class<E> entryType) {
        JsonNode body = text.contains('"' + field + '"') ? tree(text) : JsonNodeFactory.instance.missingNode();
        if (!(body instanceof ObjectNode object) || !object.has(field)) {
            return new BodyWithEntries<>(read(text, type), List.of());
        }
        JsonNode list = object.remove(field);
        if (!list.isArray() || list.size() > Work.BATCH_MAX) {
            throw RefusedRequest.invalid(
                    "/" + field,
                    "a list of at most " + Work.BATCH_MAX + " entries",
                    list.isArray() ? list.size() + "" : StorableJson.sanitize(list.toString(), SHOWN_CHARS_MAX));
        }
        BatchEntry<T> rest = entry("", object, type);
        return new BodyWithEntries<>(rest.get(), entries(list, field, entryType));
    }

    static JsonNode tree(String text) {
        try {
            return WireJson.STRICT.readTree(text);
        } catch (JacksonException e) {
            throw refusal(e, Source.of(text));
        }
    }

    /** Reads a body that is an object with one list, and reads each entry of the list on its own. */
    static <T> List<BatchEntry<T>> entries(String text, String field, Class<T> type) {
        return entries(list(text, field), field, type);
    }

    private static <T> List<BatchEntry<T>> entries(JsonNode list, String field, Class<T> type) {
        List<BatchEntry<T>> entries = new ArrayList<>(list.size());
        for (int i = 0; i < list.size(); i++) {
            entries.add(entry("/" + field + "/" + i, list.get(i), type));
        }
        return entries;
    }

    private static JsonNode list(String text, String field) {
        JsonNode body = text.isBlank() ? JsonNodeFactory.instance.missingNode() : tree(text);
        if (!body.isObject()) {
            throw RefusedRequest.invalid(
                    "",
                    "a JSON object",
                    text.isBlank() ? "an empty body" : StorableJson.sanitize(body.toString(), SHOWN_CHARS_MAX));
        }
        for (String name : body.propertyNames()) {
            if (!name.equals(field)) {
                String shown = StorableJson.sanitize(name, SHOWN_CHARS_MAX);
                String found = "'" + shown + "'" + NearestName.hint(name, List.of(field));
                throw RefusedRequest.invalid("/" + shown, "one of " + field, found);
            }
        }
        JsonNode list = body.get(field);
        if (list == null || !list.isArray()) {
            throw RefusedRequest.invalid(
                    "/" + field,
                    "a list",
                    list == null ? "nothing" : StorableJson.sanitize(list.toString(), SHOWN_CHARS_MAX));
        }
        if (list.isEmpty() || list.size() > Work.BATCH_MAX) {
            throw RefusedRequest.invalid("/" + field, "from 1 to " + Work.BATCH_MAX + " entries", list.size() + "");
        }
        return list;
    }

    private static <T> BatchEntry<T> entry(String at, JsonNode sent, Class<T> type) {
        try {
            String misfit = StorableJson.findProblem(sent);
            if (misfit != null) {
                throw RefusedRequest.invalid(at, "JSON that Weir can store", misfit);
            }
            if (sent.isNull()) {
                throw RefusedRequest.invalid(at, "an object", "null");
            }
            T plain = PlainReader.read(sent, type);
            return new BatchEntry<>(at, sent, plain == null ? WireJson.STRICT.treeToValue(sent, type) : plain, null);
        } catch (JacksonException e) {
            return new BatchEntry<>(at, sent, null, refusal(e, Source.of(at, sent)));
        } catch (RefusedRequest e) {
            return new BatchEntry<>(at, sent, null, e);
        }
    }

    /**
     * A text or an entry that was read.
     *
     * @param at its position in the body, as a JSON pointer
     * @param locate finds the line and column of the value at a pointer within it
     * @param found describes the value at a pointer within it
     */
    private record Source(String at, Function<String, BodyPosition> locate, UnaryOperator<String> found) {
        static Source of(String text) {
            return new Source("", pointer -> BodyPosition.of(text, pointer), pointer -> found(text, pointer));
        }

        /**
         * Returns the source for one entry of a batch. It has no lines: the pointer already says where the entry
         * is, and finding a line would scan the whole text for each entry.
         */
        static Source of(String at, JsonNode entry) {
            return new Source(at, pointer -> BodyPosition.UNKNOWN, pointer -> JsonBody.describeValue(entry, pointer));
        }

        private static String found(String text, String pointer) {
            try {
                return JsonBody.describeValue(WireJson.STRICT.readTree(text), pointer);
            } catch (JacksonException e) {
                return "something else";
            }
        }
    }

    private static RefusedRequest refusal(JacksonException e, Source source) {
        Finding finding = finding(e, source);
        String where = finding.line() == null ? "" : " (line " + finding.line() + ", column " + finding.column() + ")";
        String pointer = finding.pointer() == null || finding.pointer().isEmpty() ? "" : finding.pointer() + ": ";
        return RefusedRequest.of(Problem.Kind.INVALID_REQUEST, pointer + finding.message() + where, List.of(finding));
    }

    private static Finding finding(JacksonException e, Source source) {
        String innerPointer = pointer(e);
        String pointer = source.at + innerPointer;
        Optional<InvalidValue> invalid = findInvalidValue(e);
        if (invalid.isPresent()) {
            // The record names its field; the exception's own path ends at the object. An absent field has no
            // position.
            String field = innerPointer + "/" + invalid.get().field();
            BodyPosition position = source.locate.apply(field);
            return findingAt(
                    position,
                    source.at + field,
                    invalid.get().expected(),
                    invalid.get().found());
        }
        BodyPosition position = source.locate.apply(innerPointer);
        if (e instanceof PropertyBindingException unknown) {
            return unknownField(position, unknown, pointer);
        }
        if (e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return findingAt(
                    position, pointer, describeType(mismatch.getTargetType()), source.found.apply(innerPointer));
        }
        String message = e.getOriginalMessage().lines().findFirst().orElse("the text is not JSON");
        BodyPosition broken = BodyPosition.of(e.getLocation());
        return new Finding("expected JSON: " + message, "JSON", null, pointer, broken.line(), broken.column());
    }

    private static Finding unknownField(BodyPosition position, PropertyBindingException unknown, String pointer) {
        Collection<Object> ids = unknown.getKnownPropertyIds();
        List<String> known = ids == null
                ? List.of()
                : ids.stream().map(String::valueOf).sorted().toList();
        String found = "'" + shorten(unknown.getPropertyName()) + "'";
        String expected = "one of " + String.join(", ", known);
        String hint = NearestName.hint(unknown.getPropertyName(), known);
        String message = "expected " + expected + ", found " + found + hint;
        return new Finding(message, expected, found, pointer, position.line(), position.column());
    }

    private static Finding findingAt(BodyPosition position, String pointer, String expected, String found) {
        String message = "expected " + expected + ", found " + found;
        return new Finding(message, expected, found, pointer, position.line(), position.column());
    }

    private static Optional<InvalidValue> findInvalidValue(Throwable e) {
        for (Throwable at = e; at != null; at = at.getCause()) {
            if (at instanceof InvalidValue invalid) {
                return Optional.of(invalid);
            }
        }
        return Optional.empty();
    }

    private static String pointer(JacksonException e) {
        return e.getPath().stream()
                .map(step -> step.getPropertyName() == null
                        ? "/" + step.getIndex()
                        : "/" + shorten(JsonPointers.escape(step.getPropertyName())))
                .collect(Collectors.joining());
    }

    private static String describeType(Class<?> type) {
        if (type == String.class) {
            return "a string";
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

    private static String describeValue(JsonNode tree, String pointer) {
        try {
            JsonNode node = tree.at(pointer);
            return node.isMissingNode() ? "nothing" : shorten(node.toString());
        } catch (IllegalArgumentException e) {
            return "something else";
        }
    }

    private static String shorten(String text) {
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }
}
