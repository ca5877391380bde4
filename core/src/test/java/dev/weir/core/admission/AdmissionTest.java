package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final long SECOND = 1_000_000;
    private static final LimitId.Key KEY = new LimitId.Key("billing-api");
    private static final LimitId.Key OTHER = new LimitId.Key("money");

    private final AdmissionFixture fixture = new AdmissionFixture();

    @Test
    @Tag("R3.2")
    void running_steps_of_a_key_never_exceed_its_parallelism_across_runs() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        for (int i = 0; i < 5; i++) {
            fixture.run(RunLimitValues.NONE).enqueue("s" + i, spec);
        }
        fixture.poll("m", 10);

        assertThat(fixture.pass()).containsExactly("s0", "s1", "s2");
        fixture.finish("s1");
        assertThat(fixture.pass()).containsExactly("s3");
    }

    @Test
    @Tag("R3.2")
    @Tag("R3.9")
    void a_rate_admits_its_count_in_any_window_and_wakes_by_itself() {
        var spec = TicketSpec.of("m", new LimitNeed(KEY, 1, 1, Rate.sliding(2, 10 * SECOND), 1));
        var run = fixture.run(RunLimitValues.NONE);
        for (int i = 0; i < 4; i++) {
            run.enqueue("s" + i, spec);
        }
        fixture.poll("m", 10);

        assertThat(fixture.pass()).containsExactly("s0");
        fixture.finishAt(SECOND, "s0");
        assertThat(fixture.pass()).containsExactly("s1");
        fixture.finishAt(2 * SECOND, "s1");
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.admission.nextWakeup()).isEqualTo(10 * SECOND);
        assertThat(fixture.passAt(10 * SECOND - 1)).isEmpty();
        assertThat(fixture.passAt(10 * SECOND)).containsExactly("s2");
        fixture.finish("s2");
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.passAt(11 * SECOND)).containsExactly("s3");
    }

    @Test
    @Tag("R3.2")
    void a_fixed_window_is_opened_by_its_first_start() {
        var spec = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.fixed(2, 10 * SECOND)));
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("s0", spec);
        fixture.poll("m", 10);
        assertThat(fixture.passAt(3 * SECOND)).containsExactly("s0");
        run.enqueue("s1", spec);
        assertThat(fixture.passAt(12 * SECOND)).containsExactly("s1");
        run.enqueue("s2", spec);
        run.enqueue("s3", spec);
        run.enqueue("s4", spec);
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.passAt(13 * SECOND)).containsExactly("s2", "s3");
        assertThat(fixture.passAt(23 * SECOND)).containsExactly("s4");
    }

    @Test
    @Tag("RX.6")
    @Tag("S4")
    void a_ticket_takes_all_its_limits_or_none() {
        var both = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1));
        var one = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        fixture.run(RunLimitValues.NONE).enqueue("holder", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("holder");
        fixture.run(RunLimitValues.NONE).enqueue("both", both);
        assertThat(fixture.pass()).isEmpty();

        fixture.run(RunLimitValues.NONE).enqueue("one", one);
        assertThat(fixture.pass())
                .as("the key that the other waits with is not held")
                .containsExactly("one");
        fixture.finish("holder");
        assertThat(fixture.pass()).isEmpty();
        fixture.finish("one");
        assertThat(fixture.pass()).containsExactly("both");
    }

    @Test
    @Tag("R0.3")
    @Tag("R2.3")
    void a_run_respects_its_step_limit_its_slots_and_its_exclusive_step() {
        var run = fixture.run(new RunLimitValues(3, 4, RunLimitValues.UNLIMITED, SECOND));
        run.enqueue("wide", spec(3, false));
        run.enqueue("a", spec(1, false));
        run.enqueue("b", spec(1, false));
        run.enqueue("alone", spec(1, true));
        fixture.poll("m", 10);

        assertThat(fixture.pass()).containsExactly("wide", "a");
        fixture.finish("wide");
        assertThat(fixture.pass()).containsExactly("b");
        fixture.finish("a");
        assertThat(fixture.pass()).isEmpty();
        fixture.finish("b");
        assertThat(fixture.pass()).containsExactly("alone");
        run.enqueue("c", spec(1, false));
        assertThat(fixture.pass()).isEmpty();
        fixture.finish("alone");
        assertThat(fixture.pass()).containsExactly("c");
    }

    @Test
    @Tag("R0.4")
    @Tag("R0.5")
    void a_tick_starts_at_most_its_cap_and_the_next_comes_by_itself() {
        fixture.now = 500_000;
        var run = fixture.run(new RunLimitValues(10, RunLimitValues.UNLIMITED, 2, SECOND));
        for (int i = 0; i < 5; i++) {
            run.enqueue("s" + i, TicketSpec.of("m"));
        }
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("s0", "s1");
        assertThat(fixture.admission.nextWakeup()).isEqualTo(500_000 + SECOND);
        assertThat(fixture.passAt(500_000 + SECOND)).containsExactly("s2", "s3");
        assertThat(fixture.passAt(500_000 + 2 * SECOND)).containsExactly("s4");
    }

    @Test
    @Tag("R1.2")
    @Tag("R1.3")
    void a_fan_out_keeps_its_window_and_refills_in_index_order() {
        var fanOut = new FanOutLimit(3);
        var run = fixture.run(RunLimitValues.NONE);
        var item = new TicketSpec("m", List.of(), new TicketSpec.RunDemand(1, false, fanOut), 0);
        for (int i = 0; i < 5; i++) {
            run.enqueueItem("i" + i, item, i);
        }
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("i0", "i1", "i2");
        fixture.finish("i0");
        assertThat(fixture.pass()).containsExactly("i3");
        fixture.finish("i1");
        assertThat(fixture.pass()).containsExactly("i4");
        fixture.finish("i2");
        assertThat(fixture.pass()).isEmpty();
        assertThat(fanOut.inFlight()).isEqualTo(2);
    }

    @Test
    @Tag("L5")
    void higher_priority_goes_first_until_a_lower_one_has_aged() {
        var low = new TicketSpec("m", List.of(LimitNeed.parallelism(KEY, 1)), TicketSpec.RunDemand.DEFAULT, 0);
        var high = new TicketSpec("m", List.of(LimitNeed.parallelism(KEY, 1)), TicketSpec.RunDemand.DEFAULT, 1);
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("old", low);
        fixture.now = Ticket.PRIORITY_LEVEL_MICROS + 1;
        run.enqueue("young", low);
        run.enqueue("urgent", high);
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("old");
        fixture.finish("old");
        assertThat(fixture.pass()).containsExactly("urgent");
        fixture.finish("urgent");
        assertThat(fixture.pass()).containsExactly("young");
    }

    @Test
    @Tag("R2.9")
    @Tag("L5")
    void a_wide_step_starts_after_a_bounded_number_of_overtakings() {
        var wide = TicketSpec.of("m", new LimitNeed(KEY, 4, 4, null, 1));
        var narrow = TicketSpec.of("m", LimitNeed.parallelism(KEY, 4));
        var run = fixture.run(RunLimitValues.NONE);
        fixture.poll("m", 10_000);
        for (int i = 0; i < 4; i++) {
            run.enqueue("n" + i, narrow);
        }
        fixture.pass();
        run.enqueue("wide", wide);
        int overtakings = 0;
        for (int i = 4; i < 1_000 && !fixture.isGranted("wide"); i++) {
            fixture.now += SECOND;
            run.enqueue("n" + i, narrow);
            fixture.finish("n" + (i - 4));
            overtakings += fixture.pass().contains("n" + i) ? 1 : 0;
        }
        assertThat(fixture.isGranted("wide")).isTrue();
        assertThat(overtakings).isBetween(40, Admission.OVERTAKINGS_MAX);
    }

    @Test
    @Tag("R3.7")
    @Tag("R2.8")
    void a_pin_beats_the_steps_values_at_once_and_ends_by_itself() {
        var spec = TicketSpec.of("m", new LimitNeed(KEY, 3, 2, null, 1));
        var run = fixture.run(RunLimitValues.NONE);
        var first = run.enqueue("s0", spec);
        fixture.poll("m", 10);
        fixture.admission.pin(KEY, new Pin(1, null, 20 * SECOND), fixture.now);
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.admission.explain(first, fixture.now).blockers())
                .extracting(Explanation.Blocker::cause)
                .containsExactly(HoldCause.OVER_CAPACITY);
        fixture.admission.pin(KEY, new Pin(4, null, 20 * SECOND), fixture.now);
        run.enqueue("s1", spec);
        assertThat(fixture.pass()).containsExactly("s0", "s1");
        fixture.now = 20 * SECOND;
        run.enqueue("s2", spec);
        fixture.finish("s0");
        assertThat(fixture.pass()).as("3 places again, 2 held").isEmpty();
        fixture.finish("s1");
        assertThat(fixture.pass()).containsExactly("s2");
    }

    @Test
    @Tag("R3.7")
    void a_paused_key_starts_nothing_until_it_is_resumed_or_the_pause_ends() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 9));
        fixture.admission.pause(KEY, 5 * SECOND);
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("s0", spec);
        fixture.poll("m", 10);
        assertThat(fixture.pass()).isEmpty();
        assertThat(fixture.admission.nextWakeup()).isEqualTo(5 * SECOND);
        assertThat(fixture.passAt(5 * SECOND)).containsExactly("s0");
        fixture.admission.pause(KEY, Moment.NEVER);
        run.enqueue("s1", spec);
        assertThat(fixture.pass()).isEmpty();
        fixture.admission.resume(KEY);
        assertThat(fixture.pass()).containsExactly("s1");
    }

    @Test
    @Tag("R3.7")
    void reset_rate_forgets_the_starts_of_the_window() {
        var spec = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(1, 60 * SECOND)));
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("s0", spec);
        run.enqueue("s1", spec);
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("s0");
        fixture.admission.resetRate(KEY);
        assertThat(fixture.pass()).containsExactly("s1");
    }

    @Test
    @Tag("R2.7")
    void an_override_takes_effect_at_once_both_ways_and_lowering_stops_nothing() {
        var run = fixture.run(RunLimitValues.slots(2));
        for (int i = 0; i < 6; i++) {
            run.enqueue("s" + i, spec(1, false));
        }
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactly("s0", "s1");
        fixture.admission.setOverrides(run.limiter, RunOverrides.of(null, 3));
        assertThat(fixture.pass()).containsExactly("s2");
        fixture.admission.setOverrides(run.limiter, RunOverrides.of(null, 1));
        assertThat(fixture.pass()).isEmpty();
        fixture.finish("s0");
        fixture.finish("s1");
        assertThat(fixture.pass()).isEmpty();
        fixture.finish("s2");
        assertThat(fixture.pass()).containsExactly("s3");
        fixture.admission.setOverrides(run.limiter, null);
        assertThat(fixture.pass()).containsExactly("s4");
    }

    @Test
    @Tag("R2.5")
    void a_claim_for_chosen_steps_honours_every_limit() {
        var run = fixture.run(RunLimitValues.steps(2));
        run.enqueue("a", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
        run.enqueue("b", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
        run.enqueue("c", TicketSpec.of("m"));
        run.enqueue("d", TicketSpec.of("m"));
        assertThat(fixture.claim(run, Set.of("b", "d", "c"), 1)).containsExactly("b");
        assertThat(fixture.claim(run, Set.of("a"), 5)).isEmpty();
        assertThat(fixture.claim(run, Set.of("a", "c", "d"), 5)).containsExactly("c");
        fixture.finish("b");
        assertThat(fixture.claim(run, Set.of("a"), 5)).containsExactly("a");
    }

    @Test
    @Tag("R3.4")
    void each_ticket_is_judged_by_its_own_values_against_the_shared_usage() {
        var strict = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var loose = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("l0", loose);
        fixture.poll("m", 10);
        fixture.pass();
        run.enqueue("s0", strict);
        run.enqueue("l1", loose);
        assertThat(fixture.pass()).containsExactly("l1");
        fixture.finish("l0");
        fixture.finish("l1");
        assertThat(fixture.pass()).containsExactly("s0");
        assertThat(fixture.admission.findLimit(KEY, fixture.now).orElseThrow().parallelism())
                .isEqualTo(3);
    }

    @Test
    @Tag("RX.2")
    void explain_names_every_blocker_with_its_holders_and_when_a_rate_opens() {
        var spec = TicketSpec.of(
                "nobody", new LimitNeed(KEY, 1, 1, Rate.sliding(1, 10 * SECOND), 1), LimitNeed.parallelism(OTHER, 1));
        var run = fixture.run(RunLimitValues.NONE);
        run.enqueue("h0", TicketSpec.of("m", new LimitNeed(KEY, 1, 1, Rate.sliding(1, 10 * SECOND), 1)));
        run.enqueue("h1", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        fixture.poll("m", 10);
        assertThat(fixture.pass()).containsExactlyInAnyOrder("h0", "h1");
        fixture.now = SECOND;
        run.enqueue("first", spec);
        var ticket = run.enqueue("second", spec);

        var blockers = fixture.admission.explain(ticket, fixture.now).blockers();
        assertThat(blockers)
                .extracting(Explanation.Blocker::limit, Explanation.Blocker::cause)
                .containsExactly(
                        tuple(KEY, HoldCause.CAPACITY),
                        tuple(KEY, HoldCause.RATE),
                        tuple(OTHER, HoldCause.CAPACITY),
                        tuple(null, HoldCause.NO_WORKER));
        assertThat(blockers.getFirst().holders()).extracting(Object::toString).containsExactly("h0");
        assertThat(blockers.getFirst().expected()).as("too few departures").isNull();
        assertThat(blockers.get(1).position()).isEqualTo(2);
        assertThat(blockers.get(1).expected()).isEqualTo(new Explanation.Expected(20 * SECOND, false));
    }

    @Test
    @Tag("RX.2")
    void a_release_is_estimated_from_the_last_releases_once_there_are_enough() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var run = fixture.run(RunLimitValues.NONE);
        fixture.poll("m", 100);
        for (int i = 0; i < 22; i++) {
            run.enqueue("s" + i, spec);
        }
        Ticket waiter = run.enqueue("waiter", spec);
        for (int i = 0; i < 19; i++) {
            fixture.pass();
            fixture.finishAt(fixture.now + SECOND, "s" + i);
        }
        fixture.pass();
        assertThat(fixture.admission.explain(waiter, fixture.now).blockers())
                .as("19 departures are too few")
                .extracting(Explanation.Blocker::expected)
                .containsOnlyNulls();

        fixture.finishAt(fixture.now + SECOND, "s19");
        fixture.pass();
        assertThat(fixture.admission.explain(waiter, fixture.now).blockers())
                .extracting(Explanation.Blocker::position, Explanation.Blocker::expected)
                .containsExactly(tuple(2L, new Explanation.Expected(fixture.now + 2 * SECOND, true)));
    }

    @Test
    @Tag("R3.8")
    void an_allocation_is_released_once() {
        fixture.run(RunLimitValues.NONE).enqueue("s", TicketSpec.of("m"));
        fixture.poll("m", 1);
        fixture.pass();
        var allocation = fixture.allocation("s");
        fixture.finish("s");
        assertThatThrownBy(() -> fixture.admission.release(allocation, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already returned");
    }

    private static TicketSpec spec(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.RunDemand(slots, exclusive, null), 0);
    }
}
