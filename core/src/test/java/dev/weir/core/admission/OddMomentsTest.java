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
class OddMomentsTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key KEY = new LimitId.Key("billing-api");

    private final Bench bench = new Bench();

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_that_ends_in_the_instant_in_which_it_is_set_admits_nothing() {
        bench.now = SECOND;
        readyUnder(5, LimitNeed.parallelism(KEY, 1));
        bench.poll("m", 10);
        bench.admission.pin(KEY, new Pin(5, null, SECOND), bench.now);
        assertThat(bench.pass()).containsExactly("s0");
    }

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_that_ends_before_the_next_pass_admits_nothing() {
        readyUnder(5, LimitNeed.parallelism(KEY, 1));
        bench.poll("m", 10);
        bench.admission.pin(KEY, new Pin(5, null, SECOND), bench.now);
        assertThat(bench.passAt(2 * SECOND)).containsExactly("s0");
    }

    @Test
    @Tag("S1")
    @Tag("R3.7")
    void a_pin_ends_in_time_even_if_a_pass_before_had_too_much_to_look_at() {
        var other = new LimitId.Key("other");
        bench.admission.pause(other, SECOND);
        bench.admission.pin(KEY, new Pin(Admission.JUDGEMENTS_MAX * 2, null, 2 * SECOND), bench.now);
        bench.admission.pause(KEY, SECOND);
        readyUnder(Admission.JUDGEMENTS_MAX * 2, LimitNeed.parallelism(KEY, 1));
        for (int i = 0; i < Admission.JUDGEMENTS_MAX; i++) {
            var own = new LimitId.Key("own" + i);
            bench.run(RunLimitValues.NONE)
                    .ready(
                            "o" + i,
                            TicketSpec.of("n", LimitNeed.parallelism(other, 9_999), LimitNeed.parallelism(own, 1)));
        }
        bench.poll("n", 5_000);
        bench.pass();

        bench.now = SECOND;
        bench.admission.pass(SECOND);
        bench.poll("m", 5_000);
        assertThat(bench.passAt(2 * SECOND).stream().filter(name -> name.startsWith("s")))
                .containsExactly("s0");
    }

    private void readyUnder(int count, LimitNeed need) {
        for (int i = 0; i < count; i++) {
            bench.run(RunLimitValues.NONE).ready("s" + i, TicketSpec.of("m", need));
        }
    }

    @Test
    @Tag("L3")
    void keys_that_are_no_longer_used_are_forgotten_beside_one_that_always_is() {
        bench.poll("m", Integer.MAX_VALUE);
        for (int i = 0; i < 600; i++) {
            bench.now += SECOND;
            useOnce("always", "always" + i);
            useOnce("once-" + i, "once" + i);
        }
        assertThat(bench.admission.directory().limits(bench.now))
                .as("those of the last minute, and a few")
                .hasSizeLessThan(100);
    }

    @Test
    @Tag("L3")
    void what_a_restart_brought_back_is_forgotten_once_it_is_over() {
        bench.now = 1_000 * SECOND;
        List<Allocation> held = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            var key = new LimitId.Key("held-" + i);
            var gate = bench.run(RunLimitValues.NONE).gate;
            var entry = new Ticket.Entry(new Bench.Named("h" + i), 0, i, 0);
            held.add(bench.admission.restore(gate, TicketSpec.of("m", LimitNeed.parallelism(key, 1)), entry, SECOND));
            bench.admission.restore(List.of(new LimitStart(new LimitId.Key("rated-" + i), SECOND, 1, null, false)));
        }
        bench.pass();
        assertThat(bench.admission.directory().limits(bench.now))
                .as("what is held is known")
                .hasSizeGreaterThanOrEqualTo(50);
        held.forEach(holding -> bench.admission.release(holding, bench.now));
        for (int i = 0; i < 20; i++) {
            bench.passAt(bench.now + 10 * SECOND);
        }
        assertThat(bench.admission.directory().limits(bench.now)).isEmpty();
    }

    private void useOnce(String key, String name) {
        bench.run(RunLimitValues.NONE).ready(name, TicketSpec.of("m", LimitNeed.parallelism(new LimitId.Key(key), 9)));
        assertThat(bench.pass()).containsExactly(name);
        bench.finish(name);
        bench.pass();
    }

    @Test
    @Tag("RX.2")
    void holders_that_were_granted_in_one_instant_are_named_in_the_order_of_their_items() {
        var run = bench.run(RunLimitValues.NONE);
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 9));
        for (int i = 0; i < 4; i++) {
            run.readyItem("i" + i, spec, i);
        }
        bench.poll("m", 9);
        bench.pass();
        bench.finish("i0");
        assertThat(bench.admission.find(KEY, bench.now).orElseThrow().holders())
                .extracting(Object::toString)
                .containsExactly("i1", "i2", "i3");
    }
}
