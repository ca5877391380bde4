package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlaceTest {
    private static final long MEMORY_MAX = 64L * 1024 * 1024;

    @Test
    void a_value_is_found_by_its_pointer() {
        String text = "{\"a\": 1,\n \"b\": [1, {\"a\": 2,\n  \"x/y\": 3}]}";
        assertThat(Place.of(text, "")).isEqualTo(new Place(1, 1));
        assertThat(Place.of(text, "/a")).isEqualTo(new Place(1, 2));
        assertThat(Place.of(text, "/b")).isEqualTo(new Place(2, 2));
        assertThat(Place.of(text, "/b/1")).isEqualTo(new Place(2, 11));
        assertThat(Place.of(text, "/b/1/x~1y")).isEqualTo(new Place(3, 3));
        assertThat(Place.of(text, "/b/2")).isEqualTo(Place.UNKNOWN);
        assertThat(Place.of(text, "/c")).isEqualTo(Place.UNKNOWN);
        assertThat(Place.of(text, "/a/b")).isEqualTo(Place.UNKNOWN);
        assertThat(Place.of("{\"a\": ", "/b")).isEqualTo(Place.UNKNOWN);
    }

    @Test
    @Tag("RX.5")
    void what_it_costs_grows_with_the_text_and_no_faster() {
        String text = "{\"" + "x".repeat(40_000) + "\": [" + "1,".repeat(100_000) + "1], \"a\": 2}";
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(Place.of(text, "/a").line()).isEqualTo(1);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MEMORY_MAX);
    }
}
