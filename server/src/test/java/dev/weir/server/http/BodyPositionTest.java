package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BodyPositionTest {
    private static final long MEMORY_MAX = 64L * 1024 * 1024;

    @Test
    void a_value_is_found_by_its_pointer() {
        String text = "{\"a\": 1,\n \"b\": [1, {\"a\": 2,\n  \"x/y\": 3}]}";
        assertThat(BodyPosition.of(text, "")).isEqualTo(new BodyPosition(1, 1));
        assertThat(BodyPosition.of(text, "/a")).isEqualTo(new BodyPosition(1, 2));
        assertThat(BodyPosition.of(text, "/b")).isEqualTo(new BodyPosition(2, 2));
        assertThat(BodyPosition.of(text, "/b/1")).isEqualTo(new BodyPosition(2, 11));
        assertThat(BodyPosition.of(text, "/b/1/x~1y")).isEqualTo(new BodyPosition(3, 3));
        assertThat(BodyPosition.of(text, "/b/2")).isEqualTo(BodyPosition.UNKNOWN);
        assertThat(BodyPosition.of(text, "/c")).isEqualTo(BodyPosition.UNKNOWN);
        assertThat(BodyPosition.of(text, "/a/b")).isEqualTo(BodyPosition.UNKNOWN);
        assertThat(BodyPosition.of("{\"a\": ", "/b")).isEqualTo(BodyPosition.UNKNOWN);
    }

    @Test
    @Tag("RX.5")
    void the_memory_for_a_position_grows_linearly_with_the_text() {
        String text = "{\"" + "x".repeat(40_000) + "\": [" + "1,".repeat(100_000) + "1], \"a\": 2}";
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(BodyPosition.of(text, "/a").line()).isEqualTo(1);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MEMORY_MAX);
    }
}
