package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.LiveEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventParserTest {
    private final EventParser parser = new EventParser();

    private List<LiveEvent> read(String text) {
        List<LiveEvent> events = new ArrayList<>();
        text.lines().forEach(line -> parser.read(line).ifPresent(events::add));
        return events;
    }

    @Test
    void events_are_read_and_comments_and_unknown_ones_are_ignored() {
        var at = Instant.parse("2026-01-02T03:04:05Z");
        assertThat(read("retry: 1000\nid: g-0\nevent: open\ndata: {}\n\n: a comment\n\n"
                        + "id: g-1\nevent: news\ndata: {\"a\": 1}\n\n"
                        + "id: g-2\nevent: step\ndata: {\"run\":\"r\",\"step\":\"s\",\"item\":3,\"state\":\"running\","
                        + "\"from\":\"ready\",\n"
                        + "data: \"at\":\"2026-01-02T03:04:05Z\",\"new\":true}\n\n"))
                .containsExactly(new LiveEvent.Opened(), new LiveEvent.StepEvent("r", "s", 3, "running", "ready", at));
        assertThat(parser.lastId()).isEqualTo("g-2");
    }

    @Test
    void a_heartbeat_moves_the_id_and_is_no_event() {
        assertThat(read(": heartbeat\nid: g-7\n\n")).isEmpty();
        assertThat(parser.lastId()).isEqualTo("g-7");
    }

    @Test
    void an_event_that_was_cut_off_does_not_count() {
        assertThat(read("id: g-1\nevent: reset\ndata: {\"reason\":\"x\"}")).isEmpty();
        parser.reset();
        assertThat(read("\n")).isEmpty();
        assertThat(parser.lastId()).isNull();
    }

    @Test
    void a_page_that_is_not_from_weir_is_refused() {
        assertThatThrownBy(() -> read("event: run\ndata: hello\n\n")).isInstanceOf(IllegalArgumentException.class);
    }
}
