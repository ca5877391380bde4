package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks responses of real servers that are small on the wire and large in memory. */
@Tag("R3.11")
@Tag("L8")
class ResponseMemoryTest {
    private static final int MIB = 1024 * 1024;
    private static final byte[] JSON = "{\"n\":[1,2]}".getBytes(StandardCharsets.UTF_8);
    /** Bodies of one byte, with a header that asks the decoder for a dictionary of 1.5 GiB. */
    private static final String LZMA_BOMB = "XQAAAGD//////////wA8Qfv////gAAAA";

    private static final String XZ_BOMB =
            "/Td6WFoAAATm1rRGAgAhASUAAAA7eHtBAQAAeAAAAABFru+D+O4WCgABGQGlLIHMH7bzfQEAAAAABFla";

    private final CallMemory memory = new CallMemory(CallSettings.MEMORY_BYTES_MIN);
    private final AtomicReference<String> accepted = new AtomicReference<>("");
    private HttpServer server;
    private HttpCaller caller;

    /** Encodes bytes in a content coding. */
    @FunctionalInterface
    private interface Coder {
        OutputStream wrap(OutputStream out) throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        var policy = new EgressPolicy(List.of("127.0.0.1:" + server.getAddress().getPort()));
        caller = new HttpCaller(CallSettings.DEFAULT.withEgressPolicy(policy), Clock.systemUTC());
    }

    @AfterEach
    void close() {
        caller.close();
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip", " gzip ", "identity, gzip", "deflate"})
    void a_body_in_a_coding_that_was_asked_for_is_decoded(String coding) throws IOException {
        answer(coding, coding.equals("deflate") ? encoded(DeflaterOutputStream::new, JSON) : gzip(JSON));
        JsonNode output = answered(call());
        assertThat(output.path("body").toString()).isEqualTo("{\"n\":[1,2]}");
        assertThat(output.path("headers").has("content-encoding")).isFalse();
        assertThat(output.path("headers").has("content-length")).isFalse();
        assertThat(accepted).hasValue("gzip, deflate");
    }

    @Test
    void deflate_without_the_header_of_zlib_is_decoded() throws IOException {
        answer("deflate", raw(JSON));
        assertThat(answered(call()).path("body").toString()).isEqualTo("{\"n\":[1,2]}");
    }

    @Test
    void gzip_in_several_members_is_decoded_as_one_body() throws IOException {
        var members = new ByteArrayOutputStream();
        members.write(gzip("{\"n\":".getBytes(StandardCharsets.UTF_8)));
        members.write(gzip("[1,2]}".getBytes(StandardCharsets.UTF_8)));
        answer("gzip", members.toByteArray());
        assertThat(answered(call()).path("body").toString()).isEqualTo("{\"n\":[1,2]}");
    }

    @Test
    void an_empty_body_is_empty_in_any_coding_that_was_asked_for() {
        answer("gzip", new byte[0]);
        assertThat(answered(call()).path("body").asString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "lzma;" + LZMA_BOMB,
                "xz;" + XZ_BOMB,
                "bzip2;QlpoOQ==",
                "pack200;yv7QDQ==",
                "compress;H52Q",
                "zstd;KLUv/Q==",
                "br;CwE=",
                "gzip, gzip;H4sI",
                "deflate, gzip;H4sI",
                "gzip, xz;" + XZ_BOMB
            })
    void any_other_coding_fails_for_good_and_is_named(String coding, String body) {
        answer(coding, Base64.getDecoder().decode(body));
        var failed = (CallResult.Failed) call();
        assertThat(failed.permanent()).isTrue();
        assertThat(failed.error())
                .contains("expected a response with Content-Encoding gzip, deflate or none", "found " + coding);
    }

    @Test
    void codings_in_several_headers_count_together() {
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 3);
            exchange.getResponseBody().write(new byte[3]);
            exchange.close();
        });
        assertThat(((CallResult.Failed) call()).error()).contains("found gzip, gzip");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw"})
    void a_body_that_decodes_to_too_much_is_refused_before_it_is_decoded_whole(String coding) throws IOException {
        byte[] bomb = switch (coding) {
            case "gzip" -> gzip(new byte[100 * MIB]);
            case "deflate" -> encoded(DeflaterOutputStream::new, new byte[100 * MIB]);
            default -> raw(new byte[100 * MIB]);
        };
        assertThat(bomb.length).as("bytes on the wire").isLessThan(CallSettings.BODY_BYTES_MAX);
        answer(coding.equals("gzip") ? "gzip" : "deflate", bomb);
        refusedAsTooLong();
    }

    @Test
    void a_body_that_decodes_to_nothing_and_never_ends_is_refused() {
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0});
                while (true) {
                    // An empty block that is not the last one.
                    out.write(new byte[] {0, 0, 0, (byte) 0xff, (byte) 0xff});
                }
            } catch (IOException e) {
                exchange.close();
            }
        });
        refusedAsTooLong();
    }

    @Test
    void a_length_that_is_declared_too_long_is_refused_without_reading() {
        var over = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 10L * MIB);
            exchange.getResponseBody().flush();
            awaitQuietly(over);
        });
        try {
            refusedAsTooLong();
        } finally {
            over.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void a_body_that_is_not_in_its_coding_fails_for_now(String coding) {
        answer(coding, "{\"n\":1}".getBytes(StandardCharsets.UTF_8));
        var failed = (CallResult.Failed) call();
        assertThat(failed.permanent()).isFalse();
        assertThat(failed.error()).contains("expected a body in " + coding);
    }

    @Test
    void a_body_that_is_cut_off_fails_for_now() throws IOException {
        byte[] whole = gzip(JSON);
        answer("gzip", java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThat(((CallResult.Failed) call()).permanent()).isFalse();
    }

    @Test
    void a_body_that_needs_a_dictionary_fails_for_now() throws IOException {
        var out = new ByteArrayOutputStream();
        var deflater = new Deflater();
        deflater.setDictionary("dictionary".getBytes(StandardCharsets.UTF_8));
        try (var deflated = new DeflaterOutputStream(out, deflater)) {
            deflated.write(JSON);
        }
        answer("deflate", out.toByteArray());
        assertThat(((CallResult.Failed) call()).error()).contains("Weir cannot decode");
    }

    @Test
    @Tag("S9")
    void a_response_that_finds_no_memory_waits_for_it() throws Exception {
        // The bodies of all responses share 512 KiB; one of unknown length takes most of it.
        var small = new CallMemory(2 * MIB);
        var over = new CountDownLatch(1);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            if (exchange.getRequestURI().getPath().equals("/slow")) {
                awaitQuietly(over);
            }
            exchange.close();
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<CallResult>> results = new ArrayList<>();
            results.add(threads.submit(() -> call(small, "greedy", "slow")));
            await().until(() -> small.inUse() > 0);
            results.add(threads.submit(() -> call(small, "greedy", "quick")));
            results.add(threads.submit(() -> call(small, "modest", "quick")));
            await().until(() -> small.waiting() == 2);
            over.countDown();
            for (Future<CallResult> result : results) {
                assertThat(answered(result.get()).path("body").asString()).isEqualTo("x");
            }
        }
        assertThat(small.inUse()).isZero();
    }

    @Test
    void a_tree_weighs_more_the_more_values_it_has() {
        byte[] objects = ("[" + "{},".repeat(65_000) + "{}]").getBytes(StandardCharsets.UTF_8);
        byte[] text = ("\"" + "x".repeat(objects.length) + "\"").getBytes(StandardCharsets.UTF_8);
        assertThat(JsonMemoryEstimate.of(objects)).isGreaterThan(20 * JsonMemoryEstimate.of(text));
        assertThat(JsonMemoryEstimate.of(objects)).isLessThan(CallSettings.MEMORY_BYTES_MIN);
    }

    private void refusedAsTooLong() {
        var failed = (CallResult.Failed) call();
        assertThat(failed.permanent()).isTrue();
        assertThat(failed.error()).contains("at most " + CallSettings.BODY_BYTES_MAX + " bytes");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(String coding, byte[] body) {
        server.createContext("/", exchange -> {
            accepted.set(exchange.getRequestHeaders().getFirst("Accept-Encoding"));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.getResponseHeaders().add("Content-Encoding", coding);
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
    }

    private CallResult call() {
        return call(memory, "acme", "");
    }

    private CallResult call(CallMemory callMemory, String org, String path) {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/" + path;
        JsonNode request = JsonMapper.shared().createObjectNode().put("url", url);
        try (CallMemory.MemoryAccount account = callMemory.openAccount(org)) {
            return caller.call(account, request, "k", Duration.ofMinutes(1));
        }
    }

    private static JsonNode answered(CallResult result) {
        assertThat(result).isInstanceOf(CallResult.Answered.class);
        return ((CallResult.Answered) result).output();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        return encoded(GZIPOutputStream::new, bytes);
    }

    private static byte[] raw(byte[] bytes) throws IOException {
        return encoded(out -> new DeflaterOutputStream(out, new Deflater(Deflater.DEFAULT_COMPRESSION, true)), bytes);
    }

    private static byte[] encoded(Coder coder, byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (OutputStream coded = coder.wrap(out)) {
            coded.write(bytes);
        }
        return out.toByteArray();
    }
}
