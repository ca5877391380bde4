package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests which ticket gets a reservation, how much is reserved, and when nothing is. */
@Tag("L5")
@Tag("R2.9")
class CapacityReservationTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key KEY = new LimitId.Key("billing-api");

    private final Bench bench = new Bench();
    private final Bench.Run run = bench.run(RunLimitValues.NONE);

    @Test
    void one_that_is_too_wide_for_a_pin_does_not_hide_another_that_starves() {
        bench.admission.pin(KEY, new Pin(2, null, Moment.NEVER), bench.now);
        bench.poll("m", 10_000);
        run.ready("too wide", TicketSpec.of("m", new LimitNeed(KEY, 3, 3, null, 1)));
        flow("n", KEY, 2, 2);
        run.ready("wide", TicketSpec.of("m", new LimitNeed(KEY, 3, 2, null, 1)));
        keepFlowing("n", KEY, 2, 200, "wide");
        assertThat(bench.granted("wide")).isTrue();
    }

    @Test
    void many_that_were_overtaken_and_are_paused_do_not_keep_the_next_from_its_turn() {
        bench.poll("m", 100_000);
        for (int i = 0; i < 20; i++) {
            var key = new LimitId.Key("paused-" + i);
            flow("p" + i + "-", key, 4, 4);
            run.ready("paused" + i, TicketSpec.of("m", new LimitNeed(key, 4, 4, null, 1)));
            for (int j = 4; j < 500 && bench.admission.reserver().isEmpty(); j++) {
                step("p" + i + "-", key, 4, j);
            }
            bench.admission.pause(key, Moment.NEVER);
            bench.pass();
        }
        flow("n", KEY, 2, 2);
        run.ready("wide", TicketSpec.of("m", new LimitNeed(KEY, 2, 2, null, 1)));
        keepFlowing("n", KEY, 2, 200, "wide");
        assertThat(bench.granted("wide")).isTrue();
    }

    @Test
    void the_end_of_a_pin_changes_how_much_is_kept() {
        bench.poll("m", 10_000);
        bench.admission.pin(KEY, new Pin(8, null, 1_000 * SECOND), bench.now);
        flow("n", KEY, 8, 8);
        run.ready("wide", TicketSpec.of("m", new LimitNeed(KEY, 4, 4, null, 1)));
        for (int i = 8; i < 500 && bench.admission.reserver().isEmpty(); i++) {
            step("n", KEY, 8, i);
        }
        assertThat(bench.now).isLessThan(1_000 * SECOND);
        bench.now = 1_000 * SECOND;
        bench.pass();
        bench.holdings.keySet().stream().sorted().skip(3).toList().forEach(bench::finish);
        run.ready("late", TicketSpec.of("m", LimitNeed.parallelism(KEY, 4)));
        assertThat(bench.pass()).as("3 of 4 are held, and the rest is kept").isEmpty();
        bench.holdings.keySet().stream().sorted().toList().forEach(bench::finish);
        assertThat(bench.pass()).containsExactly("wide");
    }

    /** Starts as many light tickets as there are places. */
    private void flow(String prefix, LimitId.Key key, int places, int count) {
        for (int i = 0; i < count; i++) {
            run.ready(prefix + i, TicketSpec.of("m", LimitNeed.parallelism(key, places)));
        }
        bench.pass();
    }

    /** Finishes one light ticket when the next is already waiting. */
    private void step(String prefix, LimitId.Key key, int places, int i) {
        bench.now += SECOND;
        run.ready(prefix + i, TicketSpec.of("m", LimitNeed.parallelism(key, places)));
        bench.finishIfRunning(prefix + (i - places));
        bench.pass();
    }

    private void keepFlowing(String prefix, LimitId.Key key, int places, int most, String awaited) {
        for (int i = places; i < most && !bench.granted(awaited); i++) {
            step(prefix, key, places, i);
        }
    }
}
