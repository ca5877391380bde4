package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.core.definition.Durations;
import dev.weir.core.naming.Nearest;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request whose sender is known. */
public final class Request {
    /** Characters of a parameter. */
    private static final int PARAMETER_CHARS_MAX = 1_024;

    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*(?:=\\s*\"?([^\\s;\"]*)|;|$)");

    /** Java would take digits of any script for a number. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,10}");

    private static final Set<String> JSON_TYPES = Set.of("application/json");
    private static final Set<String> DEFINITION_TYPES = Set.of(
            "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain");

    private final Context context;
    private final String org;
    private final Query query;

    Request(Context context, String org) {
        this.context = context;
        this.org = org;
        this.query = new Query(context.queryString());
    }

    /** The organisation of the sender. */
    public String org() {
        return org;
    }

    /** A part of the path. */
    public String path(String name) {
        return parameter(name, context.pathParam(name));
    }

    /** A header; one that is there and says nothing is refused. */
    public Optional<String> header(String name) {
        String value = context.header(name);
        if (value != null && value.isBlank()) {
            throw Refused.invalid(name, "a text", "an empty one");
        }
        return Optional.ofNullable(value).map(text -> parameter(name, text));
    }

    /** Refuses parameters that are not known here. */
    public Request allow(String... names) {
        for (String name : query.names()) {
            if (!Set.of(names).contains(name)) {
                String known = names.length == 0 ? "no parameters" : "one of " + String.join(", ", names);
                String found = "'" + name + "'" + Nearest.hint(name, List.of(names));
                throw Refused.invalid("?" + name, known, found);
            }
        }
        return this;
    }

    public Optional<String> query(String name) {
        List<String> values = query.values(name);
        if (values.size() > 1) {
            throw Refused.invalid("?" + name, "one value", String.valueOf(values.size()));
        }
        return values.stream().findFirst().map(value -> parameter(name, value));
    }

    /** The values of a parameter that may come several times. */
    public List<String> queries(String name) {
        return query.values(name).stream().map(value -> parameter(name, value)).toList();
    }

    public int wholeNumber(String name, int absent, int least, int most) {
        Optional<String> value = query(name);
        if (value.isEmpty()) {
            return absent;
        }
        if (NUMBER.matcher(value.get()).matches()) {
            long number = Long.parseLong(value.get());
            if (number >= least && number <= most) {
                return (int) number;
            }
        }
        throw Refused.invalid("?" + name, "a whole number from " + least + " to " + most, "'" + value.get() + "'");
    }

    private static String parameter(String name, String value) {
        if (value.length() > PARAMETER_CHARS_MAX) {
            throw Refused.invalid(name, "at most " + PARAMETER_CHARS_MAX + " characters", value.length() + "");
        }
        if (value.indexOf('\0') >= 0 || value.indexOf('\uFFFD') >= 0 || !Characters.wellFormed(value)) {
            throw Refused.invalid(name, "text in UTF-8 without the character U+0000", "something else");
        }
        return value;
    }

    /** The body, which must be JSON of that type. */
    public <T> T body(Class<T> type) {
        return Body.read(text(JSON_TYPES), type);
    }

    /** The entries of a body that is an object of one list; a body that is none is refused, an entry on its own. */
    public <T> List<Entry<T>> entries(String field, Class<T> type) {
        return Body.entries(text(JSON_TYPES), field, type);
    }

    /** The body, or what stands for one that is absent. */
    public <T> T bodyOr(Class<T> type, T absent) {
        String text = text(JSON_TYPES);
        return text.isBlank() ? absent : Body.read(text, type);
    }

    /** A definition in YAML or JSON, as it was sent. */
    public String definition() {
        String text = text(DEFINITION_TYPES);
        if (text.isBlank()) {
            throw Refused.invalid("", "a workflow in YAML or JSON", "an empty body");
        }
        return text;
    }

    private String text(Set<String> types) {
        String declared = context.header("Content-Type");
        if (declared != null && !types.contains(mediaType(declared))) {
            throw Refused.of(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                    "expected Content-Type "
                            + String.join(" or ", types.stream().sorted().toList()) + ", found " + mediaType(declared));
        }
        Matcher charset = CHARSET.matcher(declared == null ? "" : declared);
        if (charset.find() && !"utf-8".equalsIgnoreCase(charset.group(1))) {
            String found = charset.group(1) == null ? "without a name" : charset.group(1);
            throw Refused.of(Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "expected a body in utf-8, found charset " + found);
        }
        return decoded(bytes());
    }

    private static String mediaType(String declared) {
        int end = declared.indexOf(';');
        return (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private byte[] bytes() {
        try {
            return Arrival.await(context.req().getInputStream(), System::nanoTime);
        } catch (IOException e) {
            throw Refused.of(Problem.Kind.INVALID_REQUEST, "the body cannot be read: " + e.getMessage());
        }
    }

    private static String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refused.invalid("", "a body in UTF-8", "bytes that are not");
        }
    }

    /** A duration from a body, such as 30s. */
    public static Duration duration(String field, String text) {
        return Durations.parse(text)
                .filter(found -> !found.isNegative())
                .orElseThrow(() -> Refused.invalid("/" + field, Durations.EXPECTED, "'" + text + "'"));
    }
}
