package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the work of a start, counted in judgements, does not grow with the number of waiting tickets. */
@Tag("L7")
class FlatTest {
    private static final long SECOND = 1_000_000;
    private static final int STARTS = 30;
    /** Few enough that no ticket is overtaken often enough to get a reservation. */
    private static final int SWAPS = 8;

    private static final int JUDGEMENTS_PER_START = 20;
    private static final int MANY = 2_000;
    private static final LimitId.Key ONE = new LimitId.Key("one");
    private static final LimitId.Key TWO = new LimitId.Key("two");

    private final Bench bench = new Bench();

    private static LimitNeed own(int i) {
        return LimitNeed.parallelism(new LimitId.Key("own-" + i), 1);
    }

    @Test
    void a_shared_key_with_a_worker_that_asks_again_after_each_report() {
        for (int i = 0; i < MANY; i++) {
            bench.run(RunLimitValues.NONE).ready("s" + i, TicketSpec.of("m", LimitNeed.parallelism(ONE, 1), own(i)));
        }
        startOneByOne();
    }

    @Test
    void a_fan_out_whose_items_have_keys_of_their_own_with_a_worker_that_asks_again_after_each_report() {
        var window = new FanOutLimit(1);
        var run = bench.run(RunLimitValues.NONE);
        for (int i = 0; i < MANY; i++) {
            var local = new TicketSpec.Local(1, false, window);
            run.ready("s" + i, new TicketSpec("m", List.of(own(i)), local, 0));
        }
        startOneByOne();
    }

    @Test
    void two_shared_keys_that_are_never_free_together() {
        bench.poll("m", 10_000);
        var narrow = bench.run(RunLimitValues.NONE);
        narrow.ready("one0", TicketSpec.of("m", LimitNeed.parallelism(ONE, 1)));
        narrow.ready("two0", TicketSpec.of("m", LimitNeed.parallelism(TWO, 1)));
        bench.pass();
        for (int i = 0; i < MANY; i++) {
            var both = TicketSpec.of("m", LimitNeed.parallelism(ONE, 1), LimitNeed.parallelism(TWO, 1), own(i));
            bench.run(RunLimitValues.NONE).ready("s" + i, both);
        }
        bench.pass();
        swap(narrow, 1);
        long before = bench.admission.judgements();
        for (int i = 2; i <= SWAPS; i++) {
            swap(narrow, i);
        }
        assertFlat(before);
        bench.finish("one" + SWAPS);
        bench.finish("two" + SWAPS);
        assertThat(bench.pass()).containsExactly("s0");
    }

    /** Frees each key in turn for a moment, while the other is in use. */
    private void swap(Bench.Run narrow, int i) {
        for (LimitId.Key key : List.of(ONE, TWO)) {
            bench.now += SECOND;
            bench.finish(key.name() + (i - 1));
            assertThat(bench.pass()).isEmpty();
            narrow.ready(key.name() + i, TicketSpec.of("m", LimitNeed.parallelism(key, 1)));
            assertThat(bench.pass()).containsExactly(key.name() + i);
        }
    }

    /** Starts tickets with a worker that polls for ten, gets one, reports, and only then polls again. */
    private void startOneByOne() {
        startNext(0);
        long before = bench.admission.judgements();
        for (int i = 1; i < STARTS; i++) {
            startNext(i);
        }
        assertFlat(before);
    }

    private void startNext(int i) {
        bench.now += SECOND;
        Poll poll = bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("s" + i);
        bench.admission.endPoll(poll, bench.now);
        bench.finish("s" + i);
        assertThat(bench.pass()).isEmpty();
    }

    private void assertFlat(long before) {
        assertThat(bench.admission.judgements() - before)
                .as("judgements for %s starts, while %s wait", STARTS, MANY)
                .isLessThan(STARTS * JUDGEMENTS_PER_START);
    }

    @Test
    void a_claim_for_one_step_beside_a_large_fan_out() {
        var run = bench.run(RunLimitValues.NONE);
        var items = new TicketSpec("m", List.of(), new TicketSpec.Local(1, false, new FanOutLimit(MANY)), 0);
        for (int i = 0; i < MANY; i++) {
            run.readyItem("s" + i, items, i);
        }
        bench.now += SECOND;
        run.ready("step", TicketSpec.of("m"));
        var looked = new AtomicInteger();
        var grants = bench.admission.claim(
                run.gate,
                Set.of("m"),
                ticket -> looked.incrementAndGet() > 0
                        && ticket.subject().toString().equals("step"),
                1,
                bench.now);
        assertThat(grants).hasSize(1);
        assertThat(looked.get()).isLessThan(JUDGEMENTS_PER_START);
    }
}
