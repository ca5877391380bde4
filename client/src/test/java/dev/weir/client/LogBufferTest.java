package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Logs;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogBufferTest {
    private final LogBuffer buffer = new LogBuffer();

    @Test
    void confirmed_text_is_dropped_and_unsent_text_stays() {
        assertThat(buffer.next()).isNull();
        buffer.add("ä1");
        LogBuffer.UnsentChunk first = next();
        assertThat(first).isEqualTo(new LogBuffer.UnsentChunk(0, "ä1"));
        buffer.add("2");
        assertThat(next()).isEqualTo(new LogBuffer.UnsentChunk(0, "ä12"));
        buffer.confirmSent(first.end());
        assertThat(next()).isEqualTo(new LogBuffer.UnsentChunk(3, "2"));
        buffer.confirmSent(first.end());
        assertThat(next()).as("confirmed twice").isEqualTo(new LogBuffer.UnsentChunk(3, "2"));
        buffer.confirmSent(4);
        assertThat(buffer.next()).isNull();
    }

    @Test
    void only_the_end_of_a_long_log_is_kept_in_whole_characters() {
        buffer.add("€".repeat(Logs.BYTES_MAX));
        assertThat(next().text()).isEqualTo("€".repeat(Logs.BYTES_MAX / 3));
        assertThat(next().from()).isEqualTo(3L * Logs.BYTES_MAX - 3L * (Logs.BYTES_MAX / 3));
        buffer.add("x".repeat(10));
        assertThat(next().text()).endsWith("x".repeat(10)).startsWith("€");
        assertThat(next().end()).isEqualTo(3L * Logs.BYTES_MAX + 10);
    }

    @Test
    void characters_that_a_log_cannot_store_are_replaced() {
        buffer.add("a\0b\ud800c");
        assertThat(next().text()).isEqualTo("a\uFFFDb?c");
    }

    private LogBuffer.UnsentChunk next() {
        return Objects.requireNonNull(buffer.next());
    }
}
