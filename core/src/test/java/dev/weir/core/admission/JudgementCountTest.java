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
class JudgementCountTest {
    private static final long SECOND = 1_000_000;
    private static final int STARTS = 30;
    /** Few enough that no ticket is overtaken often enough to get a reservation. */
    private static final int SWAPS = 8;

    private static final int JUDGEMENTS_PER_START = 20;
    private static final int MANY = 2_000;
    private static final LimitId.Key ONE = new LimitId.Key("one");
    private static final LimitId.Key TWO = new LimitId.Key("two");

    private final AdmissionFixture fixture = new AdmissionFixture();

    private static LimitNeed own(int i) {
        return LimitNeed.parallelism(new LimitId.Key("own-" + i), 1);
    }

    @Test
    void a_shared_key_with_a_poll_after_each_report_needs_few_judgements() {
        for (int i = 0; i < MANY; i++) {
            fixture.run(RunLimitValues.NONE)
                    .enqueue("s" + i, TicketSpec.of("m", LimitNeed.parallelism(ONE, 1), own(i)));
        }
        startOneByOne();
    }

    @Test
    void a_fan_out_with_a_key_per_item_and_a_poll_after_each_report_needs_few_judgements() {
        var window = new FanOutLimit(1);
        var run = fixture.run(RunLimitValues.NONE);
        for (int i = 0; i < MANY; i++) {
            var local = new TicketSpec.RunDemand(1, false, window);
            run.enqueue("s" + i, new TicketSpec("m", List.of(own(i)), local, 0));
        }
        startOneByOne();
    }

    @Test
    void two_shared_keys_that_are_never_free_together_need_few_judgements() {
        fixture.poll("m", 10_000);
        var narrow = fixture.run(RunLimitValues.NONE);
        narrow.enqueue("one0", TicketSpec.of("m", LimitNeed.parallelism(ONE, 1)));
        narrow.enqueue("two0", TicketSpec.of("m", LimitNeed.parallelism(TWO, 1)));
        fixture.pass();
        for (int i = 0; i < MANY; i++) {
            var both = TicketSpec.of("m", LimitNeed.parallelism(ONE, 1), LimitNeed.parallelism(TWO, 1), own(i));
            fixture.run(RunLimitValues.NONE).enqueue("s" + i, both);
        }
        fixture.pass();
        swap(narrow, 1);
        long before = fixture.admission.judgements();
        for (int i = 2; i <= SWAPS; i++) {
            swap(narrow, i);
        }
        assertBoundedJudgements(before);
        fixture.finish("one" + SWAPS);
        fixture.finish("two" + SWAPS);
        assertThat(fixture.pass()).containsExactly("s0");
    }

    /** Frees each key in turn for a moment, while the other is in use. */
    private void swap(AdmissionFixture.Run narrow, int i) {
        for (LimitId.Key key : List.of(ONE, TWO)) {
            fixture.now += SECOND;
            fixture.finish(key.name() + (i - 1));
            assertThat(fixture.pass()).isEmpty();
            narrow.enqueue(key.name() + i, TicketSpec.of("m", LimitNeed.parallelism(key, 1)));
            assertThat(fixture.pass()).containsExactly(key.name() + i);
        }
    }

    /** Starts tickets with a worker that polls for ten, gets one, reports, and only then polls again. */
    private void startOneByOne() {
        startNext(0);
        long before = fixture.admission.judgements();
        for (int i = 1; i < STARTS; i++) {
            startNext(i);
        }
        assertBoundedJudgements(before);
    }

    private void startNext(int i) {
        fixture.now += SECOND;
        Poll poll = fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("s" + i);
        fixture.admission.endPoll(poll, fixture.now);
        fixture.finish("s" + i);
        assertThat(fixture.pass()).isEmpty();
    }

    private void assertBoundedJudgements(long before) {
        assertThat(fixture.admission.judgements() - before)
                .as("judgements for %s starts, while %s wait", STARTS, MANY)
                .isLessThan(STARTS * JUDGEMENTS_PER_START);
    }

    @Test
    void a_claim_for_one_step_next_to_a_large_fan_out_needs_few_judgements() {
        var run = fixture.run(RunLimitValues.NONE);
        var items = new TicketSpec("m", List.of(), new TicketSpec.RunDemand(1, false, new FanOutLimit(MANY)), 0);
        for (int i = 0; i < MANY; i++) {
            run.enqueueItem("s" + i, items, i);
        }
        fixture.now += SECOND;
        run.enqueue("step", TicketSpec.of("m"));
        var tested = new AtomicInteger();
        var grants = fixture.admission.claim(
                run.limiter,
                Set.of("m"),
                ticket -> tested.incrementAndGet() > 0
                        && ticket.subject().toString().equals("step"),
                1,
                fixture.now);
        assertThat(grants).hasSize(1);
        assertThat(tested.get()).isLessThan(JUDGEMENTS_PER_START);
    }
}
