package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.weir.server.LoggedEvents;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.5")
class RefusalCounterTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @Test
    void a_flood_is_one_line_per_minute_with_its_counts() {
        var meters = new SimpleMeterRegistry();
        var refusals = new RefusalCounter(meters, 0);
        try (var log = new LoggedEvents()) {
            for (int i = 0; i < 5_000; i++) {
                refusals.count(i % 5 == 0 ? 400 : 401);
                refusals.report(i);
            }
            assertThat(log.events()).isEmpty();
            refusals.report(MINUTE);
            refusals.report(MINUTE + 1);
            refusals.report(3 * MINUTE);
            assertThat(log.events())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "The node refused 5000 requests within 60 s: 1000 with status 400, 4000 with status 401");
        }
        assertThat(meters.counter("weir.http.refused", "status", "401").count()).isEqualTo(4_000);
    }

    @Test
    void a_few_refused_requests_are_only_counted() {
        var refusals = new RefusalCounter(new SimpleMeterRegistry(), 0);
        try (var log = new LoggedEvents()) {
            for (int i = 0; i < RefusalCounter.FLOOD_MIN - 1; i++) {
                refusals.count(404);
            }
            refusals.report(2 * MINUTE);
            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void a_failure_that_repeats_is_logged_once_per_minute_under_one_id() {
        var now = new AtomicLong();
        var failures = new FailureLog(now::get);
        try (var log = new LoggedEvents()) {
            String id = "";
            for (int i = 0; i < 1_000; i++) {
                String next = failures.log(new IllegalStateException("a bug " + i));
                assertThat(id.isEmpty() || id.equals(next)).isTrue();
                id = next;
            }
            assertThat(log.events()).singleElement().asString().contains(id);
            now.set(MINUTE + 1);
            assertThat(failures.log(new IllegalStateException("a bug"))).isNotEqualTo(id);
            assertThat(log.events()).hasSize(2);
        }
    }

    @Test
    void failures_of_many_kinds_are_logged_up_to_a_bound() {
        var failures = new FailureLog(() -> 0);
        try (var log = new LoggedEvents()) {
            for (int i = 0; i < 1_000; i++) {
                var failure = new IllegalStateException("a bug");
                failure.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "a", "A.java", i)});
                failures.log(failure);
            }
            assertThat(log.events()).hasSize(FailureLog.KINDS_MAX + 1);
        }
    }
}
