package dev.weir.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counts what is ready, held and running by module. Ready work is exactly the work that more workers would start. */
@Tag("RX.4")
class ModuleDirectoryTest {
    private static final LimitId.Key KEY = new LimitId.Key("k");
    private static final long MINUTE = 60_000_000;

    private final AdmissionFixture fixture = new AdmissionFixture();

    private ModuleSnapshot module(String name) {
        return fixture.admission.moduleDirectory().snapshot(name, 1, fixture.now);
    }

    private void enqueue(AdmissionFixture.Run run, int count, TicketSpec spec) {
        for (int i = 0; i < count; i++) {
            run.enqueue("t" + i + " of " + run.limiter + " in " + spec.module(), spec);
        }
    }

    private static TicketSpec items(int concurrency) {
        return new TicketSpec("m", List.of(), new TicketSpec.RunDemand(1, false, new FanOutLimit(concurrency)), 0);
    }

    @Test
    void a_key_with_room_for_two_makes_two_of_a_thousand_tickets_ready() {
        for (int i = 0; i < 1_000; i++) {
            enqueue(fixture.run(RunLimitValues.NONE), 1, TicketSpec.of("m", LimitNeed.parallelism(KEY, 2)));
        }
        fixture.pass();
        assertThat(module("m").waiting()).isEqualTo(1_000);
        assertThat(module("m").ready()).isEqualTo(2);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_CAPACITY, 998L));
        fixture.poll("m", 10);
        assertThat(fixture.pass()).hasSize(2);
        assertThat(module("m").ready()).isZero();
        assertThat(module("m").running()).isEqualTo(2);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_CAPACITY, 998L));
    }

    @Test
    void two_modules_that_share_a_key_are_each_ready_for_all_of_its_room() {
        var run = fixture.run(RunLimitValues.NONE);
        enqueue(run, 5, TicketSpec.of("m", LimitNeed.parallelism(KEY, 3)));
        enqueue(run, 5, TicketSpec.of("n", LimitNeed.parallelism(KEY, 3)));
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(3);
        assertThat(module("n").ready()).isEqualTo(3);
    }

    @Test
    void classes_of_one_module_divide_the_room_of_the_key_that_they_share() {
        for (int i = 0; i < 5; i++) {
            var own = LimitNeed.parallelism(new LimitId.Key("own" + i), 1);
            enqueue(fixture.run(RunLimitValues.NONE), 2, TicketSpec.of("m", LimitNeed.parallelism(KEY, 3), own));
        }
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(3);
        fixture.poll("m", 1);
        assertThat(fixture.pass()).hasSize(1);
        assertThat(module("m").ready()).isEqualTo(2);
    }

    @Test
    void classes_that_wait_behind_one_that_nobody_polls_for_are_ready_too() {
        var other = fixture.run(RunLimitValues.NONE);
        enqueue(other, 3, TicketSpec.of("n", LimitNeed.parallelism(KEY, 3)));
        fixture.poll("n", 3);
        List<String> holders = fixture.pass();
        for (int i = 0; i < 5; i++) {
            var own = LimitNeed.parallelism(new LimitId.Key("own" + i), 1);
            enqueue(fixture.run(RunLimitValues.NONE), 1, TicketSpec.of("m", LimitNeed.parallelism(KEY, 3), own));
        }
        fixture.pass();
        assertThat(module("m").ready()).isZero();
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_CAPACITY, 5L));
        holders.forEach(fixture::finish);
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(3);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_CAPACITY, 2L));
    }

    @Test
    void a_fan_out_is_ready_as_far_as_its_concurrency_allows() {
        var run = fixture.run(RunLimitValues.NONE);
        TicketSpec spec = items(3);
        for (int i = 0; i < 10; i++) {
            run.enqueueItem("item " + i, spec, i);
        }
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(3);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.FAN_OUT, 7L));
        fixture.poll("m", 2);
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(1);
        fixture.poll("m", 2);
        fixture.pass();
        assertThat(module("m").ready()).isZero();
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.FAN_OUT, 7L));
    }

    @Test
    void limits_of_a_run_are_told_apart_from_its_ticks() {
        enqueue(fixture.run(RunLimitValues.steps(2)), 5, TicketSpec.of("m"));
        enqueue(fixture.run(new RunLimitValues(10, 10, 1, 1_000_000)), 3, TicketSpec.of("n"));
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(2);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.RUN, 3L));
        assertThat(module("n").ready()).isEqualTo(1);
        assertThat(module("n").held()).isEqualTo(Map.of(HoldKind.TICK, 2L));
    }

    @Test
    void a_rate_and_a_pause_hold_under_their_own_names() {
        var need = LimitNeed.rate(KEY, Rate.sliding(2, MINUTE));
        enqueue(fixture.run(RunLimitValues.NONE), 5, TicketSpec.of("m", need));
        fixture.pass();
        assertThat(module("m").ready()).isEqualTo(2);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_RATE, 3L));
        fixture.poll("m", 5);
        assertThat(fixture.pass()).hasSize(2);
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.KEY_RATE, 3L));
        fixture.admission.pause(KEY, Moment.NEVER);
        fixture.pass();
        assertThat(module("m").held()).isEqualTo(Map.of(HoldKind.PAUSED, 3L));
        fixture.admission.resume(KEY);
        fixture.passAt(MINUTE + 1);
        assertThat(module("m").running()).isEqualTo(4);
    }

    @Test
    void the_oldest_ready_ticket_says_since_when_workers_are_missing() {
        fixture.now = 5;
        enqueue(fixture.run(RunLimitValues.NONE), 1, TicketSpec.of("m"));
        fixture.now = 9;
        enqueue(fixture.run(RunLimitValues.NONE), 1, TicketSpec.of("m"));
        fixture.pass();
        assertThat(module("m").oldestReadySince()).isEqualTo(5);
        fixture.poll("m", 2);
        fixture.pass();
        assertThat(module("m").oldestReadySince()).isEqualTo(ModuleSnapshot.NONE_READY);
    }

    @Test
    void more_runs_than_are_examined_are_estimated_from_the_oldest() {
        for (int i = 0; i < 10_000; i++) {
            var run = fixture.run(RunLimitValues.steps(1));
            enqueue(run, 2, TicketSpec.of("m"));
        }
        fixture.pass();
        assertThat(module("m").waiting()).isEqualTo(20_000);
        assertThat(module("m").ready()).isBetween(9_900L, 10_100L);
    }

    @Test
    void a_module_is_listed_while_it_has_tickets_allocations_or_polls() {
        enqueue(fixture.run(RunLimitValues.NONE), 1, TicketSpec.of("b"));
        fixture.poll("a", 1);
        fixture.pass();
        assertThat(fixture.admission.moduleDirectory().names("", "", 10)).containsExactly("a", "b");
        assertThat(fixture.admission.moduleDirectory().names("", "a", 10)).containsExactly("b");
        assertThat(fixture.admission.moduleDirectory().names("b", "", 10)).containsExactly("b");
        assertThat(fixture.admission.moduleDirectory().busiestModules(1)).containsExactly("b");
        fixture.poll("b", 1);
        String running = fixture.pass().getFirst();
        fixture.passAt(10 * MINUTE);
        assertThat(module("b").running()).isEqualTo(1);
        fixture.finish(running);
        fixture.passAt(20 * MINUTE);
        fixture.passAt(30 * MINUTE);
        assertThat(module("b")).isEqualTo(ModuleSnapshot.unused("b"));
    }

    @Test
    void the_busiest_keys_are_those_that_most_tickets_wait_for() {
        for (int i = 0; i < 4; i++) {
            var need = LimitNeed.parallelism(new LimitId.Key("k" + i), 1);
            enqueue(fixture.run(RunLimitValues.NONE), 1 + i, TicketSpec.of("m", need));
        }
        assertThat(fixture.admission.moduleDirectory().busiestKeys(2))
                .extracting(LimitId.Key::name)
                .containsExactly("k3", "k2");
    }
}
