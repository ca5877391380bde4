package dev.weir.server.routes;

import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Problem;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads one CloudEvent, in structured mode (the event is the JSON body) or in binary mode (its attributes are headers, and
 * the body is its data). JSON data is kept as JSON, text as text, and other data as text in Base64.
 */
final class CloudEventBody {
    private static final String STRUCTURED_TYPE = "application/cloudevents+json";
    private static final String BATCH_TYPE = "application/cloudevents-batch+json";
    private static final String JSON_TYPE = "application/json";
    private static final String DATA = "data";
    private static final String BINARY_DATA = "data_base64";
    private static final String CONTENT_TYPE = "datacontenttype";
    /** The extension attribute that says which events belong together. */
    private static final String CORRELATION = "correlationid";

    private static final String HEADER_PREFIX = "ce-";

    /** The attributes that are read. Of the others, which must be extension attributes, none is kept. */
    private static final Set<String> ATTRIBUTES =
            Set.of("id", "type", "source", "specversion", "subject", "time", CONTENT_TYPE, "dataschema", DATA);

    private static final Pattern EXTENSION = Pattern.compile("[a-z0-9]{1,20}");

    private CloudEventBody() {}

    /** Returns the event; empty if the request contains no CloudEvent. */
    static Optional<SendEventRequest> find(Request request) {
        refuseBatch(request);
        boolean isBinary = List.of("id", "type", "specversion").stream()
                .anyMatch(name -> request.header(HEADER_PREFIX + name).isPresent());
        if (isBinary) {
            return Optional.of(readBinary(request));
        }
        return request.hasMediaType(STRUCTURED_TYPE)
                ? Optional.of(readStructured(request.json(STRUCTURED_TYPE)))
                : Optional.empty();
    }

    static void refuseBatch(Request request) {
        if (request.hasMediaType(BATCH_TYPE)) {
            throw RefusedRequest.of(
                    Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
                    "expected one CloudEvent, found a batch; send each alone, or all of them as application/json"
                            + " to /v1/events/batch: {\"events\": [{\"id\": …, \"type\": …, \"data\": …}]}");
        }
    }

    private static SendEventRequest readStructured(JsonNode sent) {
        if (!(sent instanceof ObjectNode event)) {
            return Request.read(sent, SendEventRequest.class);
        }
        for (var attribute : event.properties()) {
            checkAttribute(attribute.getKey(), attribute.getValue());
        }
        JsonNode encoded = event.get(BINARY_DATA);
        if (encoded != null) {
            if (event.has(DATA)) {
                throw RefusedRequest.invalid("/" + BINARY_DATA, "data or data_base64", "both");
            }
            String type = event.path(CONTENT_TYPE).asString(JSON_TYPE);
            event.set(DATA, data(decode(encoded), type));
        }
        JsonNode correlation = event.get(CORRELATION);
        event.retain(ATTRIBUTES);
        if (correlation != null) {
            event.put("correlation_id", correlation.asString());
        }
        return Request.read(event, SendEventRequest.class);
    }

    private static void checkAttribute(String name, JsonNode value) {
        if (ATTRIBUTES.contains(name) || name.equals(BINARY_DATA)) {
            return;
        }
        if (!EXTENSION.matcher(name).matches()) {
            throw RefusedRequest.invalid(
                    "/" + name, "an attribute of CloudEvents: 1 to 20 lower-case letters and digits", "'" + name + "'");
        }
        if (value.isContainer()) {
            throw RefusedRequest.invalid(
                    "/" + name, "a text, a number or a boolean", value.isArray() ? "a list" : "an object");
        }
    }

    private static byte[] decode(JsonNode encoded) {
        try {
            return Base64.getDecoder().decode(encoded.isString() ? encoded.stringValue() : "?");
        } catch (IllegalArgumentException e) {
            throw RefusedRequest.invalid(
                    "/" + BINARY_DATA, "a text in Base64", encoded.isString() ? "none" : "no text");
        }
    }

    private static SendEventRequest readBinary(Request request) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        for (String name : List.of("id", "type", "source", "specversion", "subject", "time", "dataschema")) {
            request.header(HEADER_PREFIX + name).ifPresent(value -> event.put(name, headerText(name, value)));
        }
        request.header(HEADER_PREFIX + CORRELATION)
                .ifPresent(value -> event.put("correlation_id", headerText(CORRELATION, value)));
        String declared = request.header("Content-Type").orElse(JSON_TYPE);
        byte[] body = request.bytes();
        if (body.length > 0) {
            event.set(DATA, data(body, declared));
        }
        return Request.read(event, SendEventRequest.class);
    }

    /** Returns the value of a header, in which characters outside of ASCII are percent-encoded. */
    private static String headerText(String name, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RefusedRequest.invalid(HEADER_PREFIX + name, "a percent-encoded text", "'" + value + "'");
        }
    }

    private static JsonNode data(byte[] data, String declaredType) {
        String type = mediaType(declaredType);
        if (type.endsWith("/json") || type.endsWith("+json")) {
            return Request.parse(data);
        }
        String text = type.startsWith("text/") ? Request.text(data) : null;
        return JsonNodeFactory.instance.stringNode(
                text == null ? Base64.getEncoder().encodeToString(data) : text);
    }

    private static String mediaType(String declared) {
        int end = declared.indexOf(';');
        return (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
