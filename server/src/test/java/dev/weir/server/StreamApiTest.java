package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.TestStream.StreamedEvent;
import dev.weir.server.http.HttpBounds;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the stream of changes over HTTP. */
class StreamApiTest {
    private final TestNode node = new TestNode();

    @BeforeEach
    void apply() {
        node.apply(
                "work",
                "{'workflow':'work','steps':[{'id':'a','uses':'m',"
                        + "'flow_control':{'key':'k','parallelism':1}},{'id':'b','uses':'m','needs':['a']}]}");
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void start(String run, String token) {
        var got = node.send(
                "POST",
                "/v1/runs",
                ("{'workflow':'work','id':'" + run + "','input':{'card':'4111-secret'}}").replace('\'', '"'),
                token);
        assertThat(got.status()).as(got.body()).isEqualTo(201);
    }

    private void work(String run) {
        var claimed = node.post("/v1/claims", "{'run':'" + run + "'}");
        node.post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'" + claimed.at("/claims/0/step") + "','fence':"
                        + claimed.at("/claims/0/fence") + ",'result':'completed','output':{'card':'4111-secret'}}]}");
    }

    private static List<String> texts(List<StreamedEvent> events) {
        return events.stream()
                .map(event -> event.name() + " " + event.text("run") + event.text("key") + " " + event.text("step")
                        + " " + event.text("state"))
                .toList();
    }

    @Test
    void a_run_is_followed_from_its_start_to_its_end_without_its_data() throws IOException {
        try (var stream = TestStream.open(node, "?run=r")) {
            assertThat(Objects.requireNonNull(stream.next()).name()).isEqualTo("open");
            start("other", "acme-token");
            start("r", "acme-token");
            work("r");
            work("r");
            List<StreamedEvent> events = stream.until("run", "state", "completed");
            assertThat(texts(events))
                    .containsSubsequence(
                            "run r  queued",
                            "run r  running",
                            "step r a ready",
                            "step r a running",
                            "step r a completed",
                            "step r b ready",
                            "step r b running",
                            "step r b completed",
                            "run r  completed");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.text("run")).isEqualTo("r");
                assertThat(event.data().toString()).doesNotContain("secret");
                Set<String> allowed = Set.of("run", "workflow", "step", "state", "from", "at");
                assertThat(allowed).containsAll(event.data().propertyNames());
            });
            assertThat(events.stream().map(StreamedEvent::id).distinct()).hasSameSizeAs(events);
        }
    }

    @Test
    void a_key_reports_its_levels() throws IOException {
        try (var stream = TestStream.open(node, "?key=k")) {
            stream.next();
            start("r1", "acme-token");
            start("r2", "acme-token");
            node.post("/v1/claims", "{'run':'r1'}");
            StreamedEvent busy = stream.until("key", "used", "1").getLast();
            assertThat(busy.data().get("max").intValue()).isEqualTo(1);
            if (!busy.text("waiting").equals("1")) {
                stream.until("key", "waiting", "1");
            }
            node.post("/v1/keys/pause", "{'key':'k'}");
            stream.until("key", "paused", "true");
            node.post("/v1/keys/pin", "{'key':'k','parallelism':5}");
            assertThat(stream.until("key", "pinned", "true").getLast().text("max"))
                    .isEqualTo("5");
        }
    }

    @Test
    void a_cut_connection_resumes_after_the_last_event_without_gap_or_repeat() throws IOException {
        List<String> seen = new ArrayList<>();
        String lastId;
        try (var stream = TestStream.open(node, "?topic=runs")) {
            stream.next();
            start("r1", "acme-token");
            seen.addAll(texts(stream.until("run", "state", "running")));
            lastId = stream.lastId;
        }
        start("r2", "acme-token");
        start("r3", "acme-token");
        for (String cutAt : List.of("r2", "r3")) {
            try (var stream = TestStream.open(node, "?topic=runs", "acme-token", lastId)) {
                List<StreamedEvent> more = new ArrayList<>();
                while (more.isEmpty()
                        || !(more.getLast().text("run").equals(cutAt)
                                && more.getLast().text("state").equals("running"))) {
                    more.add(Objects.requireNonNull(stream.next()));
                }
                seen.addAll(texts(more));
                lastId = stream.lastId;
            }
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "run r1  queued",
                        "run r1  running",
                        "run r2  queued",
                        "run r2  running",
                        "run r3  queued",
                        "run r3  running");
    }

    @Test
    void an_unknown_last_id_and_one_of_another_organisation_begin_with_a_reset() throws IOException {
        String foreign;
        try (var stream = TestStream.open(node, "", "other-token", null)) {
            stream.next();
            foreign = stream.lastId;
        }
        for (String id : List.of("nonsense", foreign, "0123-5")) {
            try (var stream = TestStream.open(node, "", "acme-token", id)) {
                assertThat(Objects.requireNonNull(stream.next()).name()).as(id).isEqualTo("reset");
            }
        }
    }

    @Test
    @Tag("S9")
    void an_organisation_sees_nothing_of_another() throws IOException {
        try (var other = TestStream.open(node, "", "other-token", null);
                var own = TestStream.open(node, "")) {
            other.next();
            own.next();
            start("r", "acme-token");
            work("r");
            work("r");
            own.until("run", "state", "completed");
            String definition =
                    "{'workflow':'work','steps':[{'id':'a','uses':'m','flow_control':{'key':'k','parallelism':1}}]}";
            node.send("PUT", "/v1/workflows/work", definition.replace('\'', '"'), "other-token");
            start("mine", "other-token");
            List<StreamedEvent> events = other.until("step", "state", "ready");
            assertThat(events).allSatisfy(event -> assertThat(event.text("run")).isEqualTo("mine"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "?topic=nothing, ?topic",
        "?topic=runs&topic=, ?topic",
        "?run=, ?run",
        "?key=, ?key",
        "?run=r&topic=keys, ?run",
        "?key=k&topic=runs, ?key",
        "?runs=r, ?runs",
    })
    void a_wrong_parameter_is_refused_with_its_name(String query, String pointer) {
        var got = node.get("/v1/stream" + query);
        assertThat(got.status()).isEqualTo(400);
        assertThat(got.at("/errors/0/pointer")).isEqualTo(pointer);
    }

    @Test
    void more_readers_than_an_organisation_may_have_are_refused_and_others_are_served() throws IOException {
        List<TestStream> readers = new ArrayList<>();
        try {
            for (int i = 0; i < 500; i++) {
                readers.add(TestStream.open(node, "?topic=runs"));
            }
            var refused = node.get("/v1/stream");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsKey("retry-after");
            assertThat(node.send("GET", "/v1/stream", null, "other-token").status())
                    .isEqualTo(200);
            start("r", "acme-token");
            for (TestStream reader : readers) {
                reader.until("run", "state", "running");
            }
        } finally {
            for (TestStream reader : readers) {
                reader.close();
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    // A write shows the server that a reader has gone.
                    node.post("/v1/runs", "{'workflow':'work'}");
                    return node.get("/v1/stream").status() == 200;
                });
    }

    @Test
    void more_streams_than_half_of_the_connections_of_a_node_are_refused_with_503() throws IOException {
        try (var small = new TestNode(new HttpBounds(6, Duration.ofSeconds(10)))) {
            List<TestStream> readers = new ArrayList<>();
            try {
                for (String token : List.of("acme-token", "acme-token", "other-token")) {
                    readers.add(TestStream.open(small, "", token, null));
                    Objects.requireNonNull(readers.getLast().next());
                }
                var refused = small.get("/v1/stream");
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.headers()).containsKey("retry-after");
                assertThat(refused.at("/detail")).contains("already serves 3 streams");
                assertThat(small.get("/v1/runs").status()).isEqualTo(200);
            } finally {
                for (TestStream reader : readers) {
                    reader.close();
                }
            }
        }
    }

    @Test
    void a_stream_ends_before_the_next_change_once_its_token_is_revoked() throws IOException {
        var checksAlways = new HttpBounds(100, Duration.ofSeconds(10), Duration.ZERO);
        try (var checking = new TestNode(checksAlways)) {
            checking.apply("work", "{'workflow':'work','steps':[{'id':'a','uses':'m'}]}");
            String token = checking.post("/v1/tokens", "{'name':'reader','role':'viewer'}")
                    .at("/token");
            try (var stream = TestStream.open(checking, "?topic=runs", token, null)) {
                stream.next();
                checking.start("work", "seen");
                stream.until("run", "state", "running");
                assertThat(checking.post("/v1/tokens/reader/revoke", "{}").status())
                        .isEqualTo(200);
                checking.start("work", "unseen");
                assertThat(stream.next()).isNull();
            }
            assertThat(checking.send("GET", "/v1/stream", null, token).status()).isEqualTo(401);
        }
    }

    @Test
    void when_another_node_takes_the_shard_a_stream_ends_and_resumes_with_a_reset() throws IOException {
        String lastId;
        try (var stream = TestStream.open(node, "?topic=runs")) {
            stream.next();
            start("r1", "acme-token");
            stream.until("run", "state", "running");
            lastId = stream.lastId;
            node.journal.take(node.journal.shardOf("acme"), "another node").close();
            node.post("/v1/runs", "{'workflow':'work','id':'r2'}");
            for (StreamedEvent event = stream.next(); event != null; event = stream.next()) {
                assertThat(event.name()).isEqualTo("reset");
            }
        }
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            try (var resumed = TestStream.open(node, "?topic=runs", "acme-token", lastId)) {
                return Objects.requireNonNull(resumed.next()).name().equals("reset");
            }
        });
    }

    @Test
    void a_reader_that_does_not_read_is_disconnected_and_resumes() throws IOException {
        try (var slow = TestStream.open(node, "?topic=runs,steps")) {
            slow.next();
            String lastId = slow.lastId;
            var batches = new AtomicInteger();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                startMany(batches.incrementAndGet());
                return isDisconnected();
            });
            try (var resumed = TestStream.open(node, "?topic=runs,steps", "acme-token", lastId)) {
                assertThat(Objects.requireNonNull(resumed.next()).name()).isIn("run", "reset");
            }
            readToEnd(slow);
        }
    }

    /** Starts runs with long ids, whose events fill the buffers of a connection after some calls. */
    private void startMany(int batch) {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            String id = "r-" + batch + "-" + i + "-" + "x".repeat(100);
            runs.add("{'workflow':'work','id':'" + id + "'}");
        }
        node.post("/v1/runs/batch", "{'runs':[" + String.join(",", runs) + "]}");
    }

    private boolean isDisconnected() {
        return node.get("/metrics").body().lines().anyMatch("weir_http_streams 0.0"::equals);
    }

    /** Reads what had arrived before the server closed the connection. */
    private static void readToEnd(TestStream stream) throws IOException {
        try {
            while (stream.next() != null) {
                // only the end matters
            }
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void a_node_that_shuts_down_ends_its_streams() throws IOException {
        var ending = new TestNode();
        try (var stream = TestStream.open(ending, "")) {
            stream.next();
            ending.close();
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void the_history_of_a_key_shows_its_starts() {
        assertThat(node.get("/v1/keys/history?key=k").status()).isEqualTo(404);
        assertThat(node.get("/v1/keys/history").status()).isEqualTo(400);
        start("r1", "acme-token");
        start("r2", "acme-token");
        node.post("/v1/claims", "{'run':'r1'}");
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            var got = node.get("/v1/keys/history?key=k");
            assertThat(got.at("/interval")).isEqualTo("10s");
            var samples = got.json().get("samples");
            assertThat(samples.valueStream()
                            .mapToInt(sample -> sample.get("started").intValue()))
                    .contains(1);
            var last = samples.get(samples.size() - 1);
            assertThat(last.get("used").intValue()).isEqualTo(1);
            assertThat(last.get("waiting").intValue()).isEqualTo(1);
        });
        assertThat(node.send("GET", "/v1/keys/history?key=k", null, "other-token")
                        .status())
                .isEqualTo(404);
    }
}
