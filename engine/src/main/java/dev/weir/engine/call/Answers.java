package dev.weir.engine.call;

import dev.weir.core.json.CanonicalJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes outputs of the answers that called ones give: status, headers and body. 5xx and 429 ask for another try; any
 * other 4xx has failed for good; the rest, redirects too, is the output. Nothing of an answer is in the words of a
 * failure but its status.
 */
final class Answers {
    private static final int CLIENT_ERRORS = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    /** What a step's output may hold, in bytes. */
    private static final int OUTPUT_BYTES_MAX = 256 * 1024;

    private static final int JSON_DEPTH_MAX = 60;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(JSON_DEPTH_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final int bodyBytesMax;
    private final Clock clock;

    Answers(int bodyBytesMax, Clock clock) {
        this.bodyBytesMax = bodyBytesMax;
        this.clock = clock;
    }

    CallResult read(ClassicHttpResponse response) throws IOException {
        int status = response.getCode();
        if (status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS) {
            Header after = response.getFirstHeader("Retry-After");
            return new CallResult.Failed(
                    "answered with status " + status,
                    false,
                    after == null ? null : RetryAfter.read(after.getValue(), clock.instant()));
        }
        if (status >= CLIENT_ERRORS) {
            return new CallResult.Failed(
                    "answered with status " + status + ", which another try would not change", true, null);
        }
        ObjectNode output = NODES.objectNode().put("status", status);
        output.set("headers", headers(response));
        output.set("body", content(response, body(response)));
        int bytes = output.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > OUTPUT_BYTES_MAX) {
            throw tooLong(OUTPUT_BYTES_MAX);
        }
        return new CallResult.Answered(CanonicalJson.of(output));
    }

    private byte[] body(ClassicHttpResponse response) throws IOException {
        if (response.getEntity() == null) {
            return new byte[0];
        }
        try (InputStream in = response.getEntity().getContent()) {
            byte[] bytes = in.readNBytes(bodyBytesMax + 1);
            if (bytes.length > bodyBytesMax) {
                throw tooLong(bodyBytesMax);
            }
            return bytes;
        }
    }

    private static CallRefused tooLong(int most) {
        return new CallRefused("expected an answer of at most " + most
                + " bytes, found a longer one; let the called one store it and answer with where it is");
    }

    private static ObjectNode headers(ClassicHttpResponse response) {
        Map<String, String> headers = new TreeMap<>();
        for (Iterator<Header> all = response.headerIterator(); all.hasNext(); ) {
            Header header = all.next();
            headers.merge(
                    header.getName().toLowerCase(Locale.ROOT),
                    String.valueOf(header.getValue()),
                    (one, other) -> one + ", " + other);
        }
        ObjectNode object = NODES.objectNode();
        headers.forEach((name, value) -> object.put(kept(name), kept(value)));
        return object;
    }

    /** JSON where the answer says that it is JSON and is; else text. */
    private static JsonNode content(ClassicHttpResponse response, byte[] body) {
        ContentType type = ContentType.parseLenient(
                response.getEntity() == null ? null : response.getEntity().getContentType());
        String mime = type == null ? "" : String.valueOf(type.getMimeType());
        String text = new String(body, StandardCharsets.UTF_8);
        if (body.length > 0 && (mime.equals("application/json") || mime.endsWith("+json"))) {
            try {
                return kept(JSON.readTree(body));
            } catch (JacksonException e) {
                // It says that it is JSON and is not: kept as the text that it is.
                return NODES.stringNode(kept(text));
            }
        }
        return NODES.stringNode(kept(text));
    }

    /** As it can be kept: numbers beyond measure as texts, texts without what the store cannot hold. */
    private static JsonNode kept(JsonNode value) {
        if (value.isObject()) {
            ObjectNode copy = NODES.objectNode();
            value.properties().forEach(entry -> copy.set(kept(entry.getKey()), kept(entry.getValue())));
            return copy;
        }
        if (value.isArray()) {
            ArrayNode copy = NODES.arrayNode(value.size());
            value.forEach(element -> copy.add(kept(element)));
            return copy;
        }
        if (value.isFloat() || value.isDouble()) {
            return Double.isFinite(value.doubleValue()) ? value : NODES.stringNode(value.asString());
        }
        return value.isString() ? NODES.stringNode(kept(value.stringValue())) : value;
    }

    /** U+0000 and half a surrogate pair are replaced, as what is not UTF-8 was when it was read. */
    private static String kept(String text) {
        String whole = text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_16BE);
        return new String(bytes, StandardCharsets.UTF_16BE);
    }
}
