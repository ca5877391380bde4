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

    private final AdmissionFixture fixture = new AdmissionFixture();
    private final AdmissionFixture.Run run = fixture.run(RunLimitValues.NONE);

    @Test
    void a_ticket_that_is_too_wide_for_a_pin_does_not_hide_another_that_starves() {
        fixture.admission.pin(KEY, new Pin(2, null, Moment.NEVER), fixture.now);
        fixture.poll("m", 10_000);
        run.enqueue("too wide", TicketSpec.of("m", new LimitNeed(KEY, 3, 3, null, 1)));
        startLightTickets("n", KEY, 2, 2);
        run.enqueue("wide", TicketSpec.of("m", new LimitNeed(KEY, 3, 2, null, 1)));
        replaceUntilGranted("n", KEY, 2, 200, "wide");
        assertThat(fixture.isGranted("wide")).isTrue();
    }

    @Test
    void many_overtaken_and_paused_tickets_do_not_block_the_reservation_of_the_next() {
        fixture.poll("m", 100_000);
        for (int i = 0; i < 20; i++) {
            var key = new LimitId.Key("paused-" + i);
            startLightTickets("p" + i + "-", key, 4, 4);
            run.enqueue("paused" + i, TicketSpec.of("m", new LimitNeed(key, 4, 4, null, 1)));
            for (int j = 4; j < 500 && fixture.admission.reserver().isEmpty(); j++) {
                replaceOldest("p" + i + "-", key, 4, j);
            }
            fixture.admission.pause(key, Moment.NEVER);
            fixture.pass();
        }
        startLightTickets("n", KEY, 2, 2);
        run.enqueue("wide", TicketSpec.of("m", new LimitNeed(KEY, 2, 2, null, 1)));
        replaceUntilGranted("n", KEY, 2, 200, "wide");
        assertThat(fixture.isGranted("wide")).isTrue();
    }

    @Test
    void the_end_of_a_pin_changes_how_much_is_reserved() {
        fixture.poll("m", 10_000);
        fixture.admission.pin(KEY, new Pin(8, null, 1_000 * SECOND), fixture.now);
        startLightTickets("n", KEY, 8, 8);
        run.enqueue("wide", TicketSpec.of("m", new LimitNeed(KEY, 4, 4, null, 1)));
        for (int i = 8; i < 500 && fixture.admission.reserver().isEmpty(); i++) {
            replaceOldest("n", KEY, 8, i);
        }
        assertThat(fixture.now).isLessThan(1_000 * SECOND);
        fixture.now = 1_000 * SECOND;
        fixture.pass();
        fixture.allocations.keySet().stream().sorted().skip(3).toList().forEach(fixture::finish);
        run.enqueue("late", TicketSpec.of("m", LimitNeed.parallelism(KEY, 4)));
        assertThat(fixture.pass()).as("3 of 4 are in use, 1 is reserved").isEmpty();
        fixture.allocations.keySet().stream().sorted().toList().forEach(fixture::finish);
        assertThat(fixture.pass()).containsExactly("wide");
    }

    /** Starts as many light tickets as there are places. */
    private void startLightTickets(String prefix, LimitId.Key key, int places, int count) {
        for (int i = 0; i < count; i++) {
            run.enqueue(prefix + i, TicketSpec.of("m", LimitNeed.parallelism(key, places)));
        }
        fixture.pass();
    }

    /** Finishes one light ticket when the next is already waiting. */
    private void replaceOldest(String prefix, LimitId.Key key, int places, int i) {
        fixture.now += SECOND;
        run.enqueue(prefix + i, TicketSpec.of("m", LimitNeed.parallelism(key, places)));
        fixture.finishIfRunning(prefix + (i - places));
        fixture.pass();
    }

    private void replaceUntilGranted(String prefix, LimitId.Key key, int places, int max, String awaited) {
        for (int i = places; i < max && !fixture.isGranted(awaited); i++) {
            replaceOldest(prefix, key, places, i);
        }
    }
}
