package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.core.definition.DurationText;
import dev.weir.core.naming.NearestName;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.ChangeOrigin;
import dev.weir.engine.organisations.Caller;
import dev.weir.server.http.RequestAuthentication.Authenticated;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A request and the organisation of its caller. */
public final class Request {
    /** The longest parameter, in characters. */
    private static final int PARAMETER_CHARS_MAX = 1_024;

    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*(?:=\\s*\"?([^\\s;\"]*)|;|$)");

    /** A whole number in ASCII digits. Java's own parser accepts the digits of any script. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,10}");

    private static final Set<String> JSON_TYPES = Set.of("application/json");
    private static final Set<String> DEFINITION_TYPES = Set.of(
            "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain");

    private final Context context;
    private final SessionCookie cookie;
    private final @Nullable Authenticated authenticated;
    private final QueryParameters query;
    private @Nullable String requestId;

    Request(Context context, SessionCookie cookie, @Nullable Authenticated authenticated) {
        this.context = context;
        this.cookie = cookie;
        this.authenticated = authenticated;
        this.query = new QueryParameters(context.queryString());
    }

    /** Returns the organisation of the caller; empty for a path that needs no token. */
    public String org() {
        return authenticated == null ? "" : authenticated.caller().org();
    }

    /** Returns the holder of the request's token. A path that needs no token has none. */
    public Caller caller() {
        return authenticated().caller();
    }

    /** Returns the token or the session of the request. A path that needs no token has none. */
    public Credential credential() {
        return authenticated().credential();
    }

    private Authenticated authenticated() {
        if (authenticated == null) {
            throw new IllegalStateException("expected a path that needs a token, found " + context.path());
        }
        return authenticated;
    }

    /** Refuses a request of a page of another site or port. A program, which says nothing about it, may send it. */
    public Request requireOwnPage() {
        cookie.requireOwnPage(context, false);
        return this;
    }

    /** Lets the response give the browser a session. */
    public void setSession(String secret, Duration age) {
        cookie.set(context, secret, age);
    }

    /** Lets the response take the session from the browser. */
    public void clearSession() {
        cookie.clear(context);
    }

    /** Returns the address of the console for the sender, without a path. */
    public String publicAddress() {
        return cookie.publicAddress(context);
    }

    /** Returns the id under which the sender knows the request, or a new one. */
    public String requestId() {
        if (requestId == null) {
            requestId = header(RequestOrigin.IDEMPOTENCY_KEY)
                    .or(() -> header(RequestOrigin.REQUEST_ID))
                    .orElseGet(RequestOrigin::newRequestId);
        }
        return requestId;
    }

    /** Returns who sent the request, from where and why. */
    public Attribution attribution() {
        return attribution(null);
    }

    /**
     * Returns who sent the request, from where and why.
     *
     * @param reason the reason in the body; absent = that of the header, if there is one
     */
    public Attribution attribution(@Nullable String reason) {
        return new Attribution(
                caller().token(),
                credential().isSession() ? ChangeOrigin.CONSOLE : RequestOrigin.origin(header(RequestOrigin.ORIGIN)),
                requestId(),
                reason == null ? header(RequestOrigin.REASON).orElse(null) : reason);
    }

    /** Returns a parameter of the path. */
    public String path(String name) {
        return checkParameter(name, context.pathParam(name));
    }

    /** Returns a header. A header that is present but blank is refused. */
    public Optional<String> header(String name) {
        String value = context.header(name);
        if (value != null && value.isBlank()) {
            throw RefusedRequest.invalid(name, "a string", "an empty string");
        }
        return Optional.ofNullable(value).map(text -> checkParameter(name, text));
    }

    /** Refuses query parameters other than these. */
    public Request allowQueries(String... names) {
        for (String name : query.names()) {
            if (!Set.of(names).contains(name)) {
                String known = names.length == 0 ? "no parameters" : "one of " + String.join(", ", names);
                String found = "'" + name + "'" + NearestName.hint(name, List.of(names));
                throw RefusedRequest.invalid("?" + name, known, found);
            }
        }
        return this;
    }

    public Optional<String> query(String name) {
        List<String> values = query.values(name);
        if (values.size() > 1) {
            throw RefusedRequest.invalid("?" + name, "one value", String.valueOf(values.size()));
        }
        return values.stream().findFirst().map(value -> checkParameter(name, value));
    }

    /** Returns the values of a parameter that may occur several times. */
    public List<String> queries(String name) {
        return query.values(name).stream()
                .map(value -> checkParameter(name, value))
                .toList();
    }

    public int intQuery(String name, int defaultValue, int min, int max) {
        Optional<String> value = query(name);
        if (value.isEmpty()) {
            return defaultValue;
        }
        if (NUMBER.matcher(value.get()).matches()) {
            long number = Long.parseLong(value.get());
            if (number >= min && number <= max) {
                return (int) number;
            }
        }
        throw RefusedRequest.invalid("?" + name, "a whole number from " + min + " to " + max, "'" + value.get() + "'");
    }

    public boolean booleanQuery(String name, boolean defaultValue) {
        Optional<String> value = query(name);
        if (value.isEmpty() || value.get().equals("true") || value.get().equals("false")) {
            return value.map("true"::equals).orElse(defaultValue);
        }
        throw RefusedRequest.invalid("?" + name, "true or false", "'" + value.get() + "'");
    }

    private static String checkParameter(String name, String value) {
        if (value.length() > PARAMETER_CHARS_MAX) {
            throw RefusedRequest.invalid(name, "at most " + PARAMETER_CHARS_MAX + " characters", value.length() + "");
        }
        if (value.indexOf('\0') >= 0 || value.indexOf('\uFFFD') >= 0 || !StorableCharacters.isWellFormed(value)) {
            throw RefusedRequest.invalid(name, "UTF-8 text without the character U+0000", "something else");
        }
        return value;
    }

    /** Returns the body, which must be JSON of this type. */
    public <T> T body(Class<T> type) {
        return JsonBody.read(text(JSON_TYPES), type);
    }

    /** True if the body has that media type. */
    public boolean hasMediaType(String type) {
        String declared = context.header("Content-Type");
        return declared != null && mediaType(declared).equals(type);
    }

    /** Returns the body, which must be JSON of that media type, without the meaning of its fields. */
    public JsonNode json(String type) {
        return JsonBody.tree(text(Set.of(type)));
    }

    /** Reads JSON that was a part of a request, in the bounds of a body. */
    public static JsonNode parse(byte[] part) {
        return JsonBody.tree(decode(part));
    }

    /** Returns text that was a part of a request; invalid bytes are refused. */
    public static String text(byte[] part) {
        return decode(part);
    }

    /** Reads a value of this type that was put together from a request. */
    public static <T> T read(JsonNode json, Class<T> type) {
        return JsonBody.read(json.toString(), type);
    }

    /**
     * Returns a body of this type that may also have a list of entries. An invalid entry is refused on its own; the
     * rest of the body must be valid.
     */
    public <T, E> BodyWithEntries<T, E> bodyWithEntries(Class<T> type, String field, Class<E> entryType) {
        return JsonBody.readWithEntries(text(JSON_TYPES), type, field, entryType);
    }

    /**
     * Returns the entries of a body that is an object with one list. Any other body is refused; an invalid entry is
     * refused on its own.
     */
    public <T> List<BatchEntry<T>> entries(String field, Class<T> type) {
        return JsonBody.entries(text(JSON_TYPES), field, type);
    }

    /** Returns the body, or a default if there is none. */
    public <T> T bodyOr(Class<T> type, T defaultValue) {
        String text = text(JSON_TYPES);
        return text.isBlank() ? defaultValue : JsonBody.read(text, type);
    }

    /** Returns a definition in YAML or JSON, as it was sent. */
    public String definition() {
        String text = text(DEFINITION_TYPES);
        if (text.isBlank()) {
            throw RefusedRequest.invalid("", "a workflow in YAML or JSON", "an empty body");
        }
        return text;
    }

    private String text(Set<String> types) {
        String declared = context.header("Content-Type");
        if (declared != null && !types.contains(mediaType(declared))) {
            throw RefusedRequest.of(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                    "expected Content-Type "
                            + String.join(" or ", types.stream().sorted().toList()) + ", found " + mediaType(declared));
        }
        Matcher charset = CHARSET.matcher(declared == null ? "" : declared);
        if (charset.find() && !"utf-8".equalsIgnoreCase(charset.group(1))) {
            String found = charset.group(1) == null ? "without a name" : charset.group(1);
            throw RefusedRequest.of(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE, "expected a body in UTF-8, found charset " + found);
        }
        return decode(bytes());
    }

    private static String mediaType(String declared) {
        int end = declared.indexOf(';');
        return (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the body as it was sent. It has the same bounds as any body. */
    public byte[] bytes() {
        try {
            return BoundedBodyStream.readAll(
                    context.req().getInputStream(), context.req().getContentLengthLong(), System::nanoTime);
        } catch (IOException e) {
            throw RefusedRequest.of(Problem.Kind.INVALID_REQUEST, "cannot read the body: " + e.getMessage());
        }
    }

    private static String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Only a text with this character can come from invalid bytes, so nearly every body is decoded once.
        return text.indexOf('\uFFFD') < 0 ? text : decodeStrictly(bytes);
    }

    private static String decodeStrictly(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw RefusedRequest.invalid("", "a body in UTF-8", "invalid bytes");
        }
    }

    /** Parses a duration of a body, such as 30s. */
    public static Duration parseDuration(String pointer, String text) {
        return DurationText.parse(text)
                .filter(found -> !found.isNegative())
                .orElseThrow(() -> RefusedRequest.invalid(pointer, DurationText.EXPECTED, "'" + text + "'"));
    }
}
