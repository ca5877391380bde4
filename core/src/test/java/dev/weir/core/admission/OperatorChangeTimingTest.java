package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Pin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests operators' changes and timers that happen at the same moment, and state that is dropped in time. */
class OperatorChangeTimingTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key KEY = new LimitId.Key("billing-api");

    private final AdmissionFixture fixture = new AdmissionFixture();

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_that_ends_in_the_instant_in_which_it_is_set_admits_nothing() {
        fixture.now = SECOND;
        enqueueWithNeed(5, LimitNeed.parallelism(KEY, 1));
        fixture.poll("m", 10);
        fixture.admission.pin(KEY, new Pin(5, null, SECOND), fixture.now);
        assertThat(fixture.pass()).containsExactly("s0");
    }

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_that_ends_before_the_next_pass_admits_nothing() {
        enqueueWithNeed(5, LimitNeed.parallelism(KEY, 1));
        fixture.poll("m", 10);
        fixture.admission.pin(KEY, new Pin(5, null, SECOND), fixture.now);
        assertThat(fixture.passAt(2 * SECOND)).containsExactly("s0");
    }

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_ends_in_time_even_if_an_earlier_pass_reached_its_bound() {
        var other = new LimitId.Key("other");
        fixture.admission.pause(other, SECOND);
        fixture.admission.pin(KEY, new Pin(Admission.JUDGEMENTS_MAX * 2, null, 2 * SECOND), fixture.now);
        fixture.admission.pause(KEY, SECOND);
        enqueueWithNeed(Admission.JUDGEMENTS_MAX * 2, LimitNeed.parallelism(KEY, 1));
        for (int i = 0; i < Admission.JUDGEMENTS_MAX; i++) {
            var own = new LimitId.Key("own" + i);
            fixture.run(RunLimitValues.NONE)
                    .enqueue(
                            "o" + i,
                            TicketSpec.of("n", LimitNeed.parallelism(other, 9_999), LimitNeed.parallelism(own, 1)));
        }
        fixture.poll("n", 5_000);
        fixture.pass();

        fixture.now = SECOND;
        fixture.admission.pass(SECOND);
        fixture.poll("m", 5_000);
        assertThat(fixture.passAt(2 * SECOND).stream().filter(name -> name.startsWith("s")))
                .containsExactly("s0");
    }

    private void enqueueWithNeed(int count, LimitNeed need) {
        for (int i = 0; i < count; i++) {
            fixture.run(RunLimitValues.NONE).enqueue("s" + i, TicketSpec.of("m", need));
        }
    }

    @Test
    @Tag("L3")
    void unused_keys_are_forgotten_while_another_key_is_always_in_use() {
        fixture.poll("m", Integer.MAX_VALUE);
        for (int i = 0; i < 600; i++) {
            fixture.now += SECOND;
            useOnce("always", "always" + i);
            useOnce("once-" + i, "once" + i);
        }
        assertThat(fixture.admission.directory().limits(fixture.now))
                .as("those of the last minute, and a few")
                .hasSizeLessThan(100);
    }

    @Test
    @Tag("L3")
    void restored_allocations_and_starts_are_dropped_once_they_have_ended() {
        fixture.now = 1_000 * SECOND;
        List<Allocation> restored = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            var key = new LimitId.Key("held-" + i);
            var limiter = fixture.run(RunLimitValues.NONE).limiter;
            var entry = new Ticket.Entry(new AdmissionFixture.NamedSubject("h" + i), 0, i, 0);
            restored.add(fixture.admission.restore(
                    limiter, TicketSpec.of("m", LimitNeed.parallelism(key, 1)), entry, SECOND));
            fixture.admission.restore(List.of(new LimitStart(new LimitId.Key("rated-" + i), SECOND, 1, null, false)));
        }
        fixture.pass();
        assertThat(fixture.admission.directory().limits(fixture.now))
                .as("what is held is known")
                .hasSizeGreaterThanOrEqualTo(50);
        restored.forEach(allocation -> fixture.admission.release(allocation, fixture.now));
        for (int i = 0; i < 20; i++) {
            fixture.passAt(fixture.now + 10 * SECOND);
        }
        assertThat(fixture.admission.directory().limits(fixture.now)).isEmpty();
    }

    private void useOnce(String key, String name) {
        fixture.run(RunLimitValues.NONE)
                .enqueue(name, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key(key), 9)));
        assertThat(fixture.pass()).containsExactly(name);
        fixture.finish(name);
        fixture.pass();
    }

    @Test
    @Tag("RX.2")
    void holders_that_were_granted_in_one_instant_are_named_in_the_order_of_their_items() {
        var run = fixture.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 9));
        for (int i = 0; i < 4; i++) {
            run.enqueueItem("i" + i, spec, i);
        }
        fixture.poll("m", 9);
        fixture.pass();
        fixture.finish("i0");
        assertThat(fixture.admission.findLimit(KEY, fixture.now).orElseThrow().holders())
                .extracting(Object::toString)
                .containsExactly("i1", "i2", "i3");
    }
}
