package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Puts a marker into all that users may send as data: inputs, outputs, labels, errors, signals, log lines, notes.
 * Messages that tell others that something happened carry identifiers only, so none of them contains the marker.
 */
@Tag("R4.9")
@Tag("S9")
class IdentifiersOnlyTest {
    private static final String MARKER = "platypus-4111";

    /** The paths that tell operators, dashboards and other programs that something happened, or why. */
    private static final List<String> SIGNALS = List.of(
            "/v1/runs/fails/why",
            "/v1/runs/holds/why",
            "/v1/runs/waits/why",
            "/v1/runs/waits/steps/a/why",
            "/v1/runs/asks/why",
            "/v1/keys",
            "/v1/keys?key=k",
            "/v1/keys/waitlist?key=k",
            "/v1/keys/holders?key=k",
            "/v1/keys/history?key=k",
            "/v1/modules",
            "/v1/workers",
            "/v1/metrics",
            "/v1/invariants",
            "/v1/audit",
            "/v1/tokens",
            "/metrics");

    private final LoggedEvents logged = new LoggedEvents();
    private final TestNode node = new TestNode();

    @BeforeEach
    void register() {
        node.apply("work", """
                {'workflow':'work','steps':[{'id':'a','uses':'m','flow_control':{'key':'k','parallelism':1},
                 'retry':{'max_attempts':2,'delay':'1h'}}]}""");
        node.apply("asks", "{'workflow':'asks','steps':[{'id':'b','uses':'n'}]}");
    }

    @AfterEach
    void close() {
        node.close();
        logged.close();
    }

    private void start(String workflow, String run) {
        var got = node.post("/v1/runs", """
                {'workflow':'%s','id':'%s','input':{'card':'%s'},'labels':{'team':'%s'}}""".formatted(workflow, run, MARKER, MARKER));
        assertThat(got.status()).as(got.body()).isEqualTo(201);
    }

    private void report(String run, String module, String result) {
        var claimed = node.post("/v1/claims", "{'run':'" + run + "','modules':[{'id':'" + module + "'}]}");
        String fence = claimed.at("/claims/0/fence");
        String step = claimed.at("/claims/0/step");
        var log = node.post("/v1/logs", """
                {'logs':[{'run':'%s','step':'%s','fence':%s,'from':0,'text':'%s'}]}""".formatted(run, step, fence, MARKER));
        assertThat(log.body()).contains("kept");
        var update = node.post("/v1/updates", """
                {'updates':[{'run':'%s','step':'%s','fence':%s,%s}]}""".formatted(run, step, fence, result));
        assertThat(update.body()).contains("applied");
    }

    @Test
    void nothing_that_tells_of_a_change_contains_data_of_users() throws IOException {
        List<TestStream.StreamedEvent> events;
        try (var stream = TestStream.open(node, "")) {
            start("work", "done");
            report("done", "m", "'result':'completed','output':{'card':'" + MARKER + "'}");
            start("work", "fails");
            report("fails", "m", "'result':'failed','error':'" + MARKER + "'");
            start("work", "holds");
            var claimed = node.post("/v1/claims", "{'run':'holds','modules':[{'id':'m'}],'worker':'w'}");
            assertThat(claimed.at("/claims/0/fence")).isNotEmpty();
            start("work", "waits");
            start("asks", "asks");
            report("asks", "n", "'result':'needs_input','output':{'question':'" + MARKER + "'}");
            var signal = node.post("/v1/runs/waits/signals/go", "{'id':'s','payload':{'card':'" + MARKER + "'}}");
            assertThat(signal.status()).isLessThan(500);
            assertThat(node.post("/v1/keys/pin", "{'key':'k','parallelism':1}").status())
                    .isEqualTo(200);
            start("work", "last");
            events = stream.until("run", "run", "last");
        }
        assertThat(events).extracting(TestStream.StreamedEvent::name).contains("run", "step");
        assertThat(events.toString()).doesNotContain(MARKER);
        List<String> leaks = new ArrayList<>();
        for (String path : SIGNALS) {
            var got = node.get(path);
            assertThat(got.status()).as(path + ": " + got.body()).isEqualTo(200);
            if (got.body().contains(MARKER)) {
                leaks.add(path + ": " + got.body());
            }
        }
        logged.events().stream()
                .map(event -> event.getFormattedMessage() + event.getThrowableProxy())
                .filter(text -> text.contains(MARKER))
                .forEach(leaks::add);
        assertThat(leaks).isEmpty();
        assertThat(node.get("/v1/runs/done").body())
                .as("the data itself is where its owner reads it")
                .contains(MARKER);
    }
}
