package dev.weir.engine.call;

import dev.weir.core.json.CanonicalJson;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;
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
 * Turns responses into step outputs: status, headers and body. Status 5xx and 429 ask for a retry; any other 4xx is a
 * permanent failure; every other response, including a redirect, is the output. A failure message contains nothing of
 * the response except its status.
 */
final class ResponseReader {
    private static final int CLIENT_ERRORS = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    /** The largest output of a step, in bytes. */
    private static final int OUTPUT_BYTES_MAX = 256 * 1024;

    /** The number of bytes of an unneeded body that are read to keep its connection. */
    private static final int DRAIN_BYTES_MAX = 8 * 1024;
    /** Headers that describe the encoded body, not the decoded body in the output. */
    private static final Set<String> CODING_HEADERS = Set.of("content-encoding", "content-length", "content-md5");

    private static final int JSON_DEPTH_MAX = 60;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(JSON_DEPTH_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The estimated memory of the headers in an output. */
    private static final long HEADERS_MEMORY = JsonMemoryEstimate.ofText(BoundedHeaderParser.CHARS_MAX);

    private final int bodyBytesMax;
    private final Clock clock;

    ResponseReader(int bodyBytesMax, Clock clock) {
        this.bodyBytesMax = bodyBytesMax;
        this.clock = clock;
    }

    /** Reads a response. It takes memory for the bytes and for the value before it creates them. */
    CallResult read(ClassicHttpResponse response, CallMemory.MemoryAccount memory) throws IOException {
        int status = response.getCode();
        HttpEntity entity = response.getEntity();
        if (status >= CLIENT_ERRORS && entity != null && entity.getContentLength() >= 0) {
            drain(entity.getContent());
        }
        if (status == TOO_MANY_REQUESTS || status >= SERVER_ERRORS) {
            Header retryAfter = response.getFirstHeader("Retry-After");
            return new CallResult.Failed(
                    "the server responded with status " + status,
                    false,
                    true,
                    retryAfter == null ? null : RetryAfterHeader.parse(retryAfter.getValue(), clock.instant()),
                    status);
        }
        if (status >= CLIENT_ERRORS) {
            return new CallResult.Failed(
                    "the server responded with status " + status + "; Weir does not retry it",
                    true,
                    true,
                    null,
                    status);
        }
        byte[] body = entity == null ? new byte[0] : body(response, entity, memory);
        boolean json = body.length > 0 && isJson(entity);
        memory.takeForValue(
                HEADERS_MEMORY + (json ? JsonMemoryEstimate.of(body) : JsonMemoryEstimate.ofText(body.length)));
        ObjectNode output = NODES.objectNode().put("status", status);
        output.set("headers", headers(response));
        output.set("body", content(body, json));
        int bytes = output.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > OUTPUT_BYTES_MAX) {
            throw tooLong(OUTPUT_BYTES_MAX);
        }
        return new CallResult.Answered(CanonicalJson.of(output));
    }

    private byte[] body(ClassicHttpResponse response, HttpEntity entity, CallMemory.MemoryAccount memory)
            throws IOException {
        ContentCoding coding = ContentCoding.of(response);
        long declared = entity.getContentLength();
        if (declared > bodyBytesMax) {
            throw tooLong(bodyBytesMax);
        }
        // A body that is read in pieces exists twice while they are joined.
        memory.takeForBody(
                coding == ContentCoding.IDENTITY && declared >= 0
                        ? 2 * declared
                        : 2L * bodyBytesMax + ContentCoding.DECODER_BYTES);
        InputStream encoded = entity.getContent();
        try {
            byte[] bytes = coding.decode(new BoundedBody(encoded, bodyBytesMax), bodyBytesMax + 1);
            if (bytes.length > bodyBytesMax) {
                throw tooLong(bodyBytesMax);
            }
            drain(encoded);
            return bytes;
        } catch (ZipException e) {
            throw new Undecodable("expected a body in " + coding.name().toLowerCase(Locale.ROOT)
                    + " according to its Content-Encoding, found one that Weir cannot decode");
        }
    }

    /** Thrown if a body does not have the coding that its head names. A retry may succeed. */
    static final class Undecodable extends IOException {
        private static final long serialVersionUID = 1;

        Undecodable(String message) {
            super(message);
        }
    }

    /** Refuses a body that is too long before it is decoded, whatever its decoded size. */
    private static final class BoundedBody extends FilterInputStream {
        private final int bytesMax;
        private long bytes;

        BoundedBody(InputStream in, int bytesMax) {
            super(in);
            this.bytesMax = bytesMax;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int read) {
            bytes += read;
            if (bytes > bytesMax) {
                throw tooLong(bytesMax);
            }
        }
    }

    /** Reads a short rest of a body, so that its connection can be reused. A longer rest closes the connection. */
    private static void drain(InputStream body) {
        try {
            byte[] rest = new byte[DRAIN_BYTES_MAX];
            int unused = body.readNBytes(rest, 0, rest.length);
        } catch (IOException e) {
            // The result does not need the rest of the response.
            return;
        }
    }

    private static CallRefused tooLong(int max) {
        return new CallRefused("expected a response of at most " + max
                + " bytes, found a longer one; let the called server store the data and respond with its address");
    }

    private static ObjectNode headers(ClassicHttpResponse response) {
        boolean decoded = response.getEntity() != null && ContentCoding.of(response) != ContentCoding.IDENTITY;
        Map<String, String> headers = new TreeMap<>();
        for (Iterator<Header> all = response.headerIterator(); all.hasNext(); ) {
            Header header = all.next();
            String name = header.getName().toLowerCase(Locale.ROOT);
            if (decoded && CODING_HEADERS.contains(name)) {
                continue;
            }
            headers.merge(name, String.valueOf(header.getValue()), (one, other) -> one + ", " + other);
        }
        ObjectNode object = NODES.objectNode();
        headers.forEach((name, value) -> object.put(makeStorable(name), makeStorable(value)));
        return object;
    }

    private static boolean isJson(@Nullable HttpEntity entity) {
        ContentType type = ContentType.parseLenient(entity == null ? null : entity.getContentType());
        String mime = type == null ? "" : String.valueOf(type.getMimeType());
        return mime.equals("application/json") || mime.endsWith("+json");
    }

    /** Returns JSON if the response declares JSON and contains it; otherwise text. */
    private static JsonNode content(byte[] body, boolean json) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (json) {
            try {
                return makeStorable(JSON.readTree(body));
            } catch (JacksonException e) {
                // The body is not the JSON that its head declares, so it is kept as text.
                return NODES.stringNode(makeStorable(text));
            }
        }
        return NODES.stringNode(makeStorable(text));
    }

    /**
     * Makes JSON storable: numbers without a finite value become texts, and in texts the characters that cannot be
     * stored are replaced.
     */
    private static JsonNode makeStorable(JsonNode value) {
        if (value.isObject()) {
            ObjectNode copy = NODES.objectNode();
            value.properties().forEach(entry -> copy.set(makeStorable(entry.getKey()), makeStorable(entry.getValue())));
            return copy;
        }
        if (value.isArray()) {
            ArrayNode copy = NODES.arrayNode(value.size());
            value.forEach(element -> copy.add(makeStorable(element)));
            return copy;
        }
        if (value.isFloat() || value.isDouble()) {
            return Double.isFinite(value.doubleValue()) ? value : NODES.stringNode(value.asString());
        }
        return value.isString() ? NODES.stringNode(makeStorable(value.stringValue())) : value;
    }

    /** Replaces U+0000 and half surrogate pairs. Bytes that are not UTF-8 were replaced when the body was decoded. */
    private static String makeStorable(String text) {
        String whole = text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
        byte[] bytes = whole.getBytes(StandardCharsets.UTF_16BE);
        return new String(bytes, StandardCharsets.UTF_16BE);
    }
}
