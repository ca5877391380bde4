package dev.weir.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.DebounceWindow;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DebounceTableTest {
    private static final String WORKFLOW = """
            triggers:
              - { id: t, event: e, debounce: { key: "${{ event.data.order }}", period: 5s, max_wait: 12s } }
            steps: [{id: a, uses: m}]
            """;

    private final EventWorld events = new EventWorld();

    DebounceTableTest() {
        events.register("w", WORKFLOW);
    }

    private void send(String id, String order, int n) {
        events.send(id, "e", "{'order': '" + order + "', 'n': " + n + "}");
    }

    private void passSeconds(int seconds) {
        events.world.passTime(seconds * World.SECOND);
    }

    @Test
    void the_last_event_of_a_burst_starts_one_run_after_a_quiet_period() {
        send("e1", "A", 1);
        passSeconds(3);
        send("e2", "A", 2);
        passSeconds(4);
        assertThat(events.windowOutcomes()).isEmpty();
        passSeconds(1);
        assertThat(events.windowOutcomes()).containsExactly("w/t started w:t:e2");
        assertThat(events.world.org.findRun("w:t:e2").orElseThrow().input())
                .isEqualTo(World.json("{'order': 'A', 'n': 2}"));
        assertThat(events.outcomes()).containsExactly("w/t debounced", "w/t debounced");
    }

    @Test
    void a_burst_without_a_pause_starts_a_run_after_the_longest_wait() {
        for (int i = 0; i < 6; i++) {
            send("e" + i, "A", i);
            passSeconds(3);
        }
        assertThat(events.windowOutcomes()).containsExactly("w/t started w:t:e3");
        passSeconds(10);
        assertThat(events.windowOutcomes()).containsExactly("w/t started w:t:e3", "w/t started w:t:e5");
    }

    @Test
    void each_key_has_a_burst_of_its_own() {
        send("e1", "A", 1);
        send("e2", "B", 1);
        send("e3", "A", 2);
        passSeconds(5);
        assertThat(events.windowOutcomes()).containsExactly("w/t started w:t:e3", "w/t started w:t:e2");
    }

    @Test
    void a_window_survives_a_restart_and_ends_at_its_time() {
        send("e1", "A", 1);
        passSeconds(2);
        send("e2", "A", 2);
        events.world.restart();
        passSeconds(4);
        assertThat(events.windowOutcomes()).isEmpty();
        events.world.restart();
        send("e3", "A", 3);
        passSeconds(5);
        assertThat(events.windowOutcomes()).containsExactly("w/t started w:t:e3");
    }

    @Test
    void a_window_whose_trigger_is_gone_starts_nothing_and_says_so() {
        send("e1", "A", 1);
        events.register("w", "steps: [{id: a, uses: m}]\n");
        passSeconds(5);
        assertThat(events.windowOutcomes()).containsExactly("w/t failed");
    }

    @Test
    void open_windows_have_a_bound() {
        IntStream.rangeClosed(1, DebounceTable.OPEN_MAX + 1).forEach(i -> {
            send("e" + i, "order-" + i, i);
            events.world.advanceAll();
        });
        assertThat(events.outcomes().getLast()).isEqualTo("w/t failed");
        assertThat(events.reasons().getLast()).contains("expected at most 10000 open debounce windows");
        assertThat(events.world.org.rows().events().windows())
                .hasSize(DebounceTable.OPEN_MAX)
                .extracting(DebounceWindow::events)
                .containsOnly(1);
    }
}
