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

    private final Bench bench = new Bench();

    @Test
    @Tag("R3.2")
    void running_steps_of_a_key_never_exceed_its_parallelism_across_runs() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        for (int i = 0; i < 5; i++) {
            bench.run(RunLimitValues.NONE).ready("s" + i, spec);
        }
        bench.poll("m", 10);

        assertThat(bench.pass()).containsExactly("s0", "s1", "s2");
        bench.finish("s1");
        assertThat(bench.pass()).containsExactly("s3");
    }

    @Test
    @Tag("R3.2")
    @Tag("R3.9")
    void a_rate_admits_its_count_in_any_window_and_wakes_by_itself() {
        var spec = TicketSpec.of("m", new LimitNeed(KEY, 1, 1, Rate.sliding(2, 10 * SECOND), 1));
        var run = bench.run(RunLimitValues.NONE);
        for (int i = 0; i < 4; i++) {
            run.ready("s" + i, spec);
        }
        bench.poll("m", 10);

        assertThat(bench.pass()).containsExactly("s0");
        bench.finishAt(SECOND, "s0");
        assertThat(bench.pass()).containsExactly("s1");
        bench.finishAt(2 * SECOND, "s1");
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.admission.nextWakeup()).isEqualTo(10 * SECOND);
        assertThat(bench.passAt(10 * SECOND - 1)).isEmpty();
        assertThat(bench.passAt(10 * SECOND)).containsExactly("s2");
        bench.finish("s2");
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.passAt(11 * SECOND)).containsExactly("s3");
    }

    @Test
    @Tag("R3.2")
    void a_fixed_window_is_opened_by_its_first_start() {
        var spec = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.fixed(2, 10 * SECOND)));
        var run = bench.run(RunLimitValues.NONE);
        run.ready("s0", spec);
        bench.poll("m", 10);
        assertThat(bench.passAt(3 * SECOND)).containsExactly("s0");
        run.ready("s1", spec);
        assertThat(bench.passAt(12 * SECOND)).containsExactly("s1");
        run.ready("s2", spec);
        run.ready("s3", spec);
        run.ready("s4", spec);
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.passAt(13 * SECOND)).containsExactly("s2", "s3");
        assertThat(bench.passAt(23 * SECOND)).containsExactly("s4");
    }

    @Test
    @Tag("RX.6")
    @Tag("S4")
    void a_ticket_takes_all_its_limits_or_none() {
        var both = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1), LimitNeed.parallelism(OTHER, 1));
        var one = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        bench.run(RunLimitValues.NONE).ready("holder", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("holder");
        bench.run(RunLimitValues.NONE).ready("both", both);
        assertThat(bench.pass()).isEmpty();

        bench.run(RunLimitValues.NONE).ready("one", one);
        assertThat(bench.pass())
                .as("the key that the other waits with is not held")
                .containsExactly("one");
        bench.finish("holder");
        assertThat(bench.pass()).isEmpty();
        bench.finish("one");
        assertThat(bench.pass()).containsExactly("both");
    }

    @Test
    @Tag("R0.3")
    @Tag("R2.3")
    void a_run_keeps_to_its_steps_its_slots_and_its_exclusive_step() {
        var run = bench.run(new RunLimitValues(3, 4, RunLimitValues.UNLIMITED, SECOND));
        run.ready("wide", spec(3, false));
        run.ready("a", spec(1, false));
        run.ready("b", spec(1, false));
        run.ready("alone", spec(1, true));
        bench.poll("m", 10);

        assertThat(bench.pass()).containsExactly("wide", "a");
        bench.finish("wide");
        assertThat(bench.pass()).containsExactly("b");
        bench.finish("a");
        assertThat(bench.pass()).isEmpty();
        bench.finish("b");
        assertThat(bench.pass()).containsExactly("alone");
        run.ready("c", spec(1, false));
        assertThat(bench.pass()).isEmpty();
        bench.finish("alone");
        assertThat(bench.pass()).containsExactly("c");
    }

    @Test
    @Tag("R0.4")
    @Tag("R0.5")
    void a_tick_starts_at_most_its_cap_and_the_next_comes_by_itself() {
        bench.now = 500_000;
        var run = bench.run(new RunLimitValues(10, RunLimitValues.UNLIMITED, 2, SECOND));
        for (int i = 0; i < 5; i++) {
            run.ready("s" + i, TicketSpec.of("m"));
        }
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("s0", "s1");
        assertThat(bench.admission.nextWakeup()).isEqualTo(500_000 + SECOND);
        assertThat(bench.passAt(500_000 + SECOND)).containsExactly("s2", "s3");
        assertThat(bench.passAt(500_000 + 2 * SECOND)).containsExactly("s4");
    }

    @Test
    @Tag("R1.2")
    @Tag("R1.3")
    void a_fan_out_keeps_its_window_and_refills_in_index_order() {
        var fanOut = new FanOutLimit(3);
        var run = bench.run(RunLimitValues.NONE);
        var item = new TicketSpec("m", List.of(), new TicketSpec.Local(1, false, fanOut), 0);
        for (int i = 0; i < 5; i++) {
            run.readyItem("i" + i, item, i);
        }
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("i0", "i1", "i2");
        bench.finish("i0");
        assertThat(bench.pass()).containsExactly("i3");
        bench.finish("i1");
        assertThat(bench.pass()).containsExactly("i4");
        bench.finish("i2");
        assertThat(bench.pass()).isEmpty();
        assertThat(fanOut.inFlight()).isEqualTo(2);
    }

    @Test
    @Tag("L5")
    void higher_priority_goes_first_until_a_lower_one_has_aged() {
        var low = new TicketSpec("m", List.of(LimitNeed.parallelism(KEY, 1)), TicketSpec.Local.PLAIN, 0);
        var high = new TicketSpec("m", List.of(LimitNeed.parallelism(KEY, 1)), TicketSpec.Local.PLAIN, 1);
        var run = bench.run(RunLimitValues.NONE);
        run.ready("old", low);
        bench.now = Ticket.LEVEL + 1;
        run.ready("young", low);
        run.ready("urgent", high);
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("old");
        bench.finish("old");
        assertThat(bench.pass()).containsExactly("urgent");
        bench.finish("urgent");
        assertThat(bench.pass()).containsExactly("young");
    }

    @Test
    @Tag("R2.9")
    @Tag("L5")
    void a_wide_step_starts_after_a_bounded_number_of_overtakings() {
        var wide = TicketSpec.of("m", new LimitNeed(KEY, 4, 4, null, 1));
        var narrow = TicketSpec.of("m", LimitNeed.parallelism(KEY, 4));
        var run = bench.run(RunLimitValues.NONE);
        bench.poll("m", 10_000);
        for (int i = 0; i < 4; i++) {
            run.ready("n" + i, narrow);
        }
        bench.pass();
        run.ready("wide", wide);
        int overtakings = 0;
        for (int i = 4; i < 1_000 && !bench.granted("wide"); i++) {
            bench.now += SECOND;
            run.ready("n" + i, narrow);
            bench.finish("n" + (i - 4));
            overtakings += bench.pass().contains("n" + i) ? 1 : 0;
        }
        assertThat(bench.granted("wide")).isTrue();
        assertThat(overtakings).isBetween(40, Admission.OVERTAKINGS_MAX);
    }

    @Test
    @Tag("R3.7")
    @Tag("R2.8")
    void a_pin_beats_the_steps_values_at_once_and_ends_by_itself() {
        var spec = TicketSpec.of("m", new LimitNeed(KEY, 3, 2, null, 1));
        var run = bench.run(RunLimitValues.NONE);
        var first = run.ready("s0", spec);
        bench.poll("m", 10);
        bench.admission.pin(KEY, new Pin(1, null, 20 * SECOND), bench.now);
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.admission.explain(first, bench.now).blockers())
                .extracting(Explanation.Blocker::cause)
                .containsExactly(HoldCause.OVER_CAPACITY);
        bench.admission.pin(KEY, new Pin(4, null, 20 * SECOND), bench.now);
        run.ready("s1", spec);
        assertThat(bench.pass()).containsExactly("s0", "s1");
        bench.now = 20 * SECOND;
        run.ready("s2", spec);
        bench.finish("s0");
        assertThat(bench.pass()).as("3 places again, 2 held").isEmpty();
        bench.finish("s1");
        assertThat(bench.pass()).containsExactly("s2");
    }

    @Test
    @Tag("R3.7")
    void a_paused_key_starts_nothing_until_it_is_resumed_or_the_pause_ends() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 9));
        bench.admission.pause(KEY, 5 * SECOND);
        var run = bench.run(RunLimitValues.NONE);
        run.ready("s0", spec);
        bench.poll("m", 10);
        assertThat(bench.pass()).isEmpty();
        assertThat(bench.admission.nextWakeup()).isEqualTo(5 * SECOND);
        assertThat(bench.passAt(5 * SECOND)).containsExactly("s0");
        bench.admission.pause(KEY, Moment.NEVER);
        run.ready("s1", spec);
        assertThat(bench.pass()).isEmpty();
        bench.admission.resume(KEY);
        assertThat(bench.pass()).containsExactly("s1");
    }

    @Test
    @Tag("R3.7")
    void reset_rate_forgets_the_starts_of_the_window() {
        var spec = TicketSpec.of("m", LimitNeed.rate(KEY, Rate.sliding(1, 60 * SECOND)));
        var run = bench.run(RunLimitValues.NONE);
        run.ready("s0", spec);
        run.ready("s1", spec);
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("s0");
        bench.admission.resetRate(KEY);
        assertThat(bench.pass()).containsExactly("s1");
    }

    @Test
    @Tag("R2.7")
    void an_override_takes_effect_at_once_both_ways_and_lowering_stops_nothing() {
        var run = bench.run(RunLimitValues.slots(2));
        for (int i = 0; i < 6; i++) {
            run.ready("s" + i, spec(1, false));
        }
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactly("s0", "s1");
        bench.admission.override(run.gate, RunOverrides.of(null, 3));
        assertThat(bench.pass()).containsExactly("s2");
        bench.admission.override(run.gate, RunOverrides.of(null, 1));
        assertThat(bench.pass()).isEmpty();
        bench.finish("s0");
        bench.finish("s1");
        assertThat(bench.pass()).isEmpty();
        bench.finish("s2");
        assertThat(bench.pass()).containsExactly("s3");
        bench.admission.override(run.gate, null);
        assertThat(bench.pass()).containsExactly("s4");
    }

    @Test
    @Tag("R2.5")
    void a_claim_for_chosen_steps_honours_every_limit() {
        var run = bench.run(RunLimitValues.steps(2));
        run.ready("a", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
        run.ready("b", TicketSpec.of("m", LimitNeed.parallelism(KEY, 1)));
        run.ready("c", TicketSpec.of("m"));
        run.ready("d", TicketSpec.of("m"));
        assertThat(bench.claim(run, Set.of("b", "d", "c"), 1)).containsExactly("b");
        assertThat(bench.claim(run, Set.of("a"), 5)).isEmpty();
        assertThat(bench.claim(run, Set.of("a", "c", "d"), 5)).containsExactly("c");
        bench.finish("b");
        assertThat(bench.claim(run, Set.of("a"), 5)).containsExactly("a");
    }

    @Test
    @Tag("R3.4")
    void each_ticket_is_judged_by_its_own_values_against_the_shared_usage() {
        var strict = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var loose = TicketSpec.of("m", LimitNeed.parallelism(KEY, 3));
        var run = bench.run(RunLimitValues.NONE);
        run.ready("l0", loose);
        bench.poll("m", 10);
        bench.pass();
        run.ready("s0", strict);
        run.ready("l1", loose);
        assertThat(bench.pass()).containsExactly("l1");
        bench.finish("l0");
        bench.finish("l1");
        assertThat(bench.pass()).containsExactly("s0");
        assertThat(bench.admission.find(KEY, bench.now).orElseThrow().parallelism())
                .isEqualTo(3);
    }

    @Test
    @Tag("RX.2")
    void explain_names_every_blocker_with_its_holders_and_when_a_rate_opens() {
        var spec = TicketSpec.of(
                "nobody", new LimitNeed(KEY, 1, 1, Rate.sliding(1, 10 * SECOND), 1), LimitNeed.parallelism(OTHER, 1));
        var run = bench.run(RunLimitValues.NONE);
        run.ready("h0", TicketSpec.of("m", new LimitNeed(KEY, 1, 1, Rate.sliding(1, 10 * SECOND), 1)));
        run.ready("h1", TicketSpec.of("m", LimitNeed.parallelism(OTHER, 1)));
        bench.poll("m", 10);
        assertThat(bench.pass()).containsExactlyInAnyOrder("h0", "h1");
        bench.now = SECOND;
        run.ready("first", spec);
        var ticket = run.ready("second", spec);

        var blockers = bench.admission.explain(ticket, bench.now).blockers();
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
    void a_capacity_is_expected_by_the_pace_of_the_last_departures_once_there_are_enough() {
        var spec = TicketSpec.of("m", LimitNeed.parallelism(KEY, 1));
        var run = bench.run(RunLimitValues.NONE);
        bench.poll("m", 100);
        for (int i = 0; i < 22; i++) {
            run.ready("s" + i, spec);
        }
        Ticket waiter = run.ready("waiter", spec);
        for (int i = 0; i < 19; i++) {
            bench.pass();
            bench.finishAt(bench.now + SECOND, "s" + i);
        }
        bench.pass();
        assertThat(bench.admission.explain(waiter, bench.now).blockers())
                .as("19 departures are too few")
                .extracting(Explanation.Blocker::expected)
                .containsOnlyNulls();

        bench.finishAt(bench.now + SECOND, "s19");
        bench.pass();
        assertThat(bench.admission.explain(waiter, bench.now).blockers())
                .extracting(Explanation.Blocker::position, Explanation.Blocker::expected)
                .containsExactly(tuple(2L, new Explanation.Expected(bench.now + 2 * SECOND, true)));
    }

    @Test
    @Tag("R3.8")
    void a_holding_is_given_back_once() {
        bench.run(RunLimitValues.NONE).ready("s", TicketSpec.of("m"));
        bench.poll("m", 1);
        bench.pass();
        var holding = bench.holding("s");
        bench.finish("s");
        assertThatThrownBy(() -> bench.admission.release(holding, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already returned");
    }

    private static TicketSpec spec(int slots, boolean exclusive) {
        return new TicketSpec("m", List.of(), new TicketSpec.Local(slots, exclusive, null), 0);
    }
}
