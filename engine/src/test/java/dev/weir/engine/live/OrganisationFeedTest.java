package dev.weir.engine.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.live.ChangeBatch.Kind;
import dev.weir.engine.live.ChangeBatch.NumberedChange;
import dev.weir.engine.live.ChangeEvent.StepTransition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the buffer that the readers of an organisation share. */
class OrganisationFeedTest {
    private static final ChangeFilter ALL = new ChangeFilter(EnumSet.allOf(ChangeTopic.class), null, null);
    private static final long BYTES_MAX = 1 << 20;

    private final KeyLevels levels =
            new KeyLevels("acme", (org, keys) -> CompletableFuture.completedFuture(List.of()), () -> {}, 0);
    private final OrganisationFeed feed = new OrganisationFeed(7, levels, 0);
    private long nanos;

    private static StepTransition step(String run, int number) {
        return new StepTransition(new UnitId(run, "s", number), StepState.RUNNING, StepState.READY, number);
    }

    private void publish(String run, int... numbers) {
        List<ChangeEvent> events = new ArrayList<>();
        for (int number : numbers) {
            events.add(step(run, number));
        }
        feed.offerEvents(events);
        feed.drain(nanos, BYTES_MAX);
    }

    private Subscription open(ChangeFilter filter, @Nullable String lastId) {
        return Objects.requireNonNull(feed.add(filter, lastId, () -> {}));
    }

    private static List<Integer> numbers(ChangeBatch batch) {
        assertThat(batch.kind()).isEqualTo(Kind.CHANGES);
        return batch.changes().stream()
                .map(NumberedChange::event)
                .map(event -> (int) event.at())
                .toList();
    }

    private static ChangeBatch next(Subscription reader) throws InterruptedException {
        return reader.next(Duration.ZERO);
    }

    @Test
    void a_reader_sees_the_changes_after_it_has_opened_and_only_those_that_it_wants() throws Exception {
        publish("r", 1);
        Subscription all = open(ALL, null);
        Subscription other = open(new ChangeFilter(EnumSet.of(ChangeTopic.STEPS), "other", null), null);
        assertThat(next(all).kind()).isEqualTo(Kind.OPENED);
        assertThat(next(other).kind()).isEqualTo(Kind.OPENED);
        publish("r", 2, 3);
        publish("other", 4);
        assertThat(numbers(next(all))).containsExactly(2, 3, 4);
        assertThat(numbers(next(other))).containsExactly(4);
        assertThat(next(all).kind()).isEqualTo(Kind.IDLE);
    }

    @Test
    void a_reader_resumes_after_the_last_id_even_if_that_was_a_heartbeat() throws Exception {
        Subscription first = open(new ChangeFilter(EnumSet.of(ChangeTopic.STEPS), "none", null), null);
        String opened = next(first).lastId();
        publish("r", 1, 2);
        String heartbeat = next(first).lastId();
        first.close();
        publish("r", 3);
        assertThat(numbers(next(open(ALL, opened)))).containsExactly(1, 2, 3);
        assertThat(numbers(next(open(ALL, heartbeat)))).containsExactly(3);
    }

    @Test
    void an_id_that_nobody_knows_begins_with_a_reset() throws Exception {
        String known = next(open(ALL, null)).lastId();
        for (String id : List.of("", "x", "-", known + "9", "other-" + 3, known.replace("-", ""))) {
            assertThat(next(open(ALL, id)).kind()).as(id).isEqualTo(Kind.RESET);
        }
        assertThat(next(open(ALL, known)).kind()).isEqualTo(Kind.IDLE);
    }

    @Test
    void a_full_buffer_forgets_the_oldest_changes_and_slow_readers_are_told() throws Exception {
        Subscription slow = open(ALL, null);
        String opened = next(slow).lastId();
        feed.offerEvents(java.util.stream.IntStream.range(0, 20_000)
                .mapToObj(i -> (ChangeEvent) step("r", i))
                .toList());
        feed.drain(nanos, BYTES_MAX);
        assertThat(feed.bytes()).isBetween(BYTES_MAX / 2, BYTES_MAX);
        assertThat(next(slow).kind()).isEqualTo(Kind.RESET);
        publish("r", 5);
        assertThat(numbers(next(slow))).containsExactly(5);
        assertThat(next(open(ALL, opened)).kind()).isEqualTo(Kind.RESET);
    }

    @Test
    void more_changes_than_may_wait_are_dropped_and_readers_are_told() throws Exception {
        Subscription reader = open(ALL, null);
        next(reader);
        List<ChangeEvent> many = java.util.Collections.nCopies(OrganisationFeed.PENDING_MAX, step("r", 1));
        feed.offerEvents(many);
        feed.offerEvents(List.of(step("r", 2)));
        feed.drain(nanos, BYTES_MAX);
        assertThat(next(reader).kind()).isEqualTo(Kind.RESET);
        publish("r", 3);
        assertThat(numbers(next(reader))).containsExactly(3);
    }

    @Test
    void a_reset_reaches_open_readers_and_those_that_resume() throws Exception {
        Subscription reader = open(ALL, null);
        String opened = next(reader).lastId();
        feed.reset("reloaded");
        feed.drain(nanos, BYTES_MAX);
        ChangeBatch reset = next(reader);
        assertThat(reset.kind()).isEqualTo(Kind.RESET);
        assertThat(reset.reason()).isEqualTo("reloaded");
        assertThat(next(open(ALL, opened)).kind()).isEqualTo(Kind.RESET);
        assertThat(next(open(ALL, reset.lastId())).kind()).isEqualTo(Kind.IDLE);
    }

    @Test
    void changes_are_kept_for_five_minutes_and_the_feed_outlives_its_last_reader_as_long() throws Exception {
        Subscription reader = open(ALL, null);
        String opened = next(reader).lastId();
        publish("r", 1);
        nanos = Duration.ofMinutes(5).toNanos();
        publish("r", 2);
        assertThat(numbers(next(open(ALL, opened)))).containsExactly(1, 2);
        nanos = Duration.ofMinutes(7).toNanos();
        publish("r", 3);
        assertThat(next(open(ALL, opened)).kind()).isEqualTo(Kind.RESET);
        assertThat(feed.isExpired(Long.MAX_VALUE / 2)).as("it has readers").isFalse();
    }

    @Test
    void readers_are_bounded_and_end_with_the_shard() throws Exception {
        List<Subscription> readers = new ArrayList<>();
        for (int i = 0; i < OrganisationFeed.READERS_MAX; i++) {
            readers.add(open(ALL, null));
        }
        assertThat(feed.add(ALL, null, () -> {})).isNull();
        next(readers.getFirst());
        feed.end("closed");
        assertThat(next(readers.getFirst()).kind()).isEqualTo(Kind.ENDED);
        readers.forEach(Subscription::close);
        assertThat(feed.add(ALL, null, () -> {})).isNotNull();
    }
}
