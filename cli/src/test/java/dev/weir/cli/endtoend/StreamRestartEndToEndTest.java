package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.LiveEvent;
import dev.weir.client.LiveStream;
import dev.weir.client.StreamFilter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a reader of the stream learns of a killed node. */
class StreamRestartEndToEndTest {
    private static final Duration HANG_GUARD = Duration.ofSeconds(90);

    @Test
    void after_a_kill_the_stream_resumes_with_a_reset_and_goes_on() throws Exception {
        try (var driver = new NodeDriver("stream", List.of());
                LiveStream stream = driver.client.stream(StreamFilter.topics("runs"))) {
            assertThat(stream.next(HANG_GUARD)).contains(new LiveEvent.Opened());
            driver.start("first", "steps: [{id: a, uses: m}]");
            assertThat(nextRun(stream)).isEqualTo("first queued");
            assertThat(nextRun(stream)).isEqualTo("first running");
            driver.node.restart();
            assertThat(stream.next(HANG_GUARD)).get().isInstanceOf(LiveEvent.Reset.class);
            assertThat(driver.client.run("first").state()).isEqualTo("running");
            driver.start("second", "steps: [{id: a, uses: m}]");
            assertThat(nextRun(stream)).isEqualTo("second queued");
        }
    }

    private static String nextRun(LiveStream stream) throws InterruptedException {
        LiveEvent event = stream.next(HANG_GUARD).orElseThrow();
        return event instanceof LiveEvent.RunEvent change ? change.run() + " " + change.state() : event.toString();
    }
}
