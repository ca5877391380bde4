package dev.weir.core.command;

import static dev.weir.core.run.World.LEASE;
import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Poll;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.World;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R2.4")
class ClaimWorkTest {
    private final World world = new World();

    @Test
    @Tag("L1")
    void a_poll_waits_until_there_is_work_and_is_answered_once() {
        assertThat(world.handle(poll("q", 5))).isEqualTo(new ClaimWork.Answer.Waiting());
        assertThat(world.advance()).isEmpty();
        world.handle(StartRun.of("r", plan(step("a"), step("b")), World.json("{}")));
        assertThat(world.advance()).singleElement().satisfies(served -> {
            assertThat(served.request()).isEqualTo("q");
            assertThat(World.ids(served.assignments())).containsExactly("r/a", "r/b");
        });
        world.start("s", plan(step("a")));
        assertThat(world.state("s", "a")).as("the poll is over").isEqualTo(StepState.READY);
    }

    @Test
    void the_same_request_again_gives_the_same_claims() {
        world.start("r", plan(step("a"), step("b")));
        world.handle(poll("q", 1));
        var given = world.advance().getFirst().assignments();
        assertThat(world.handle(poll("q", 1))).isEqualTo(new ClaimWork.Answer.Repeated(given));
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
    }

    @Test
    void one_poll_is_given_so_much_as_an_answer_can_hold_and_the_next_one_the_rest() {
        var steps = new World.StepBuilder[45];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step("s" + i).with("{'x':'${{ input }}'}");
        }
        world.start("r", plan(steps), "{'text':'" + "x".repeat(250_000) + "'}");
        world.advanceAll();
        int most = Poll.RESPONSE_SIZE_MAX / 250_000 + 1;
        assertThat(world.poll(500)).hasSize(most);
        assertThat(world.state("r", "s" + most)).as("what is not given out").isEqualTo(StepState.READY);
        assertThat(world.poll(500)).hasSize(steps.length - most);
    }

    @Test
    void a_repeated_request_that_still_waits_is_one_poll() {
        world.handle(poll("q", 1));
        world.handle(poll("q", 1));
        world.start("r", plan(step("a"), step("b")));
        assertThat(world.state("r", "a")).isEqualTo(StepState.RUNNING);
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
    }

    @Test
    void a_poll_that_has_ended_is_given_nothing() {
        world.handle(poll("q", 5));
        assertThat(world.handle(new EndPoll("q"))).isTrue();
        assertThat(world.handle(new EndPoll("q"))).isFalse();
        world.start("r", plan(step("a")));
        assertThat(world.state("r", "a")).isEqualTo(StepState.READY);
    }

    @Test
    @Tag("R2.2")
    void module_defaults_apply_where_the_step_sets_no_value() {
        var slots = new RunLimits(null, null, 4, RunLimits.DEFAULT_TICK_INTERVAL);
        var serves = List.of(new ClaimWork.ServedModule("m", new ConcurrencyProfile(3, false)));
        world.handle(new ClaimWork("q", "worker", serves, 1, LEASE));
        world.handle(new EndPoll("q"));
        world.start("r", plan(slots, step("a"), step("b"), step("c").demand(1, null)));
        assertThat(world.pollIds(5)).containsExactly("r/a", "r/c");
    }

    private static ClaimWork poll(String request, int limit, ConcurrencyProfile profile) {
        return new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule("m", profile)), limit, LEASE);
    }

    private static final RunLimits FOUR_SLOTS = new RunLimits(null, null, 4, RunLimits.DEFAULT_TICK_INTERVAL);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R2.2")
    void module_defaults_of_a_worker_apply_to_steps_that_were_ready_before(boolean restarted) {
        world.start(
                "r", plan(FOUR_SLOTS, step("a"), step("b"), step("c"), step("d").demand(1, false)));
        world.handle(poll("q", 5, new ConcurrencyProfile(4, false)));
        if (restarted) {
            world.restart();
            world.handle(poll("q", 5, new ConcurrencyProfile(4, false)));
        }
        var first = world.advance();
        assertThat(first).hasSize(1);
        assertThat(World.ids(first.getFirst().assignments())).containsExactly("r/a");
        assertThat(first.getFirst()
                        .assignments()
                        .getFirst()
                        .claim()
                        .limitNeeds()
                        .slots())
                .isEqualTo(4);
        assertThat(world.pollIds(5)).as("all four slots are taken").isEmpty();

        world.restart();
        assertThat(world.pollIds(5)).as("after a restart too").isEmpty();
        world.complete(first.getFirst().assignments().getFirst());
        assertThat(world.pollIds(5)).as("in the order of their age").containsExactly("r/b");
    }

    @Test
    @Tag("R2.2")
    void items_and_retried_steps_use_the_latest_defaults_of_their_module() {
        world.start(
                "r",
                plan(
                        FOUR_SLOTS,
                        step("a").retry(3, Duration.ofSeconds(5)),
                        step("s").items("[1, 2, 3]", null)));
        var a = world.poll(1).getFirst();
        world.fail(a, "once");
        world.handle(poll("q", 9, new ConcurrencyProfile(1, true)));
        var served = world.advance().getFirst().assignments();
        assertThat(World.ids(served)).containsExactly("r/s/0");
        world.passTime(6 * SECOND);
        assertThat(world.pollIds(9)).isEmpty();
        world.complete(served.getFirst());
        assertThat(world.pollIds(9)).containsExactly("r/a");
    }

    @Test
    @Tag("R2.2")
    void claimed_steps_keep_the_limit_needs_that_they_were_claimed_with() {
        world.start("r", plan(FOUR_SLOTS, step("a"), step("b"), step("c")));
        assertThat(world.pollIds(2)).hasSize(2);
        world.handle(poll("q", 9, new ConcurrencyProfile(2, false)));
        assertThat(World.ids(world.advance().getFirst().assignments())).containsExactly("r/c");
    }

    @Test
    @Tag("R2.2")
    void of_very_many_units_a_part_is_queued_again_at_once_and_the_worker_is_served_when_all_are() {
        world.start("r", plan(FOUR_SLOTS, step("s").items("range(5000)", null)));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.handle(poll("q", 9, new ConcurrencyProfile(2, false)));
        assertThat(world.advance()).isEmpty();
        assertThat(world.org.nextWakeup()).isEqualTo(world.now);
        int parts = 1;
        var served = world.advance();
        for (; served.isEmpty(); served = world.advance()) {
            assertThat(++parts).isLessThan(10);
        }
        assertThat(World.ids(served.getFirst().assignments())).containsExactly("r/s/0", "r/s/1");
        assertThat(parts).isGreaterThan(2);
    }

    @Test
    @Tag("R2.2")
    void a_worker_with_newer_defaults_during_a_refresh_is_served_when_all_units_have_them() {
        world.start("r", plan(FOUR_SLOTS, step("s").items("range(5000)", null)));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.handle(poll("q", 9, new ConcurrencyProfile(1, true)));
        world.handle(new EndPoll("q"));
        world.advance();
        world.handle(poll("p", 9, new ConcurrencyProfile(2, false)));
        var served = world.advance();
        for (int parts = 0; served.isEmpty(); served = world.advance()) {
            assertThat(++parts).isLessThan(10);
        }
        assertThat(World.ids(served.getFirst().assignments())).containsExactly("r/s/0", "r/s/1");
    }

    @Test
    @Tag("R2.2")
    void workers_that_never_agree_on_their_module_are_served_all_the_same() {
        for (int run = 0; run < 3; run++) {
            world.start("r" + run, plan(FOUR_SLOTS, step("s").items("range(2000)", null)));
        }
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        int served = 0;
        for (int i = 0; i < 60; i++) {
            world.handle(poll("q" + i, 1, new ConcurrencyProfile(1 + i % 2, false)));
            served += world.advance().size();
        }
        assertThat(served).isGreaterThan(5);
        for (int i = 0; i < 60; i++) {
            world.handle(new EndPoll("q" + i));
        }
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.org
                .claims()
                .forEach(claim -> world.handle(new UpdateStep(claim.unit(), claim.fence(), new Update.NoOp())));
        world.handle(poll("last", 100, new ConcurrencyProfile(4, false)));
        var last = world.advance();
        while (last.isEmpty() && world.org.nextWakeup() <= world.now) {
            last = world.advance();
        }
        assertThat(last.getFirst().assignments())
                .hasSize(3)
                .extracting(each -> each.claim().limitNeeds().slots())
                .as("the latest defaults")
                .containsOnly(4);
    }

    @Test
    @Tag("R2.2")
    void workers_of_another_module_are_served_during_a_refresh() {
        world.start("r", plan(FOUR_SLOTS, step("s").items("range(5000)", null)));
        world.start("other", plan(step("a").action(new Action.Uses("other", Template.emptyObject()))));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.handle(poll("q", 9, new ConcurrencyProfile(2, false)));
        world.handle(new ClaimWork("p", "worker", List.of(new ClaimWork.ServedModule("other")), 9, LEASE));
        assertThat(world.advance())
                .extracting(AdvanceResult.AnsweredPoll::request)
                .containsExactly("p");
    }

    @Test
    @Tag("R2.2")
    void a_poll_that_ends_during_a_refresh_is_given_nothing() {
        world.start("r", plan(FOUR_SLOTS, step("s").items("range(5000)", null)));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        world.handle(poll("q", 9, new ConcurrencyProfile(2, false)));
        assertThat(world.handle(new EndPoll("q"))).isTrue();
        while (world.org.nextWakeup() <= world.now) {
            assertThat(world.advance()).isEmpty();
        }
        assertThat(world.pollIds(9)).hasSize(2);
    }

    @Test
    @Tag("R0.4")
    @Tag("R0.5")
    void a_tick_starts_at_most_its_cap_and_the_next_comes_by_itself() {
        var ticks = new RunLimits(null, 2, null, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", plan(ticks, step("a"), step("b"), step("c")));
        assertThat(world.pollIds(5)).containsExactly("r/a", "r/b");
        world.handle(poll("q", 5));
        assertThat(world.advance()).isEmpty();
        assertThat(world.org.nextWakeup()).isEqualTo(world.now + SECOND);
        world.now += SECOND;
        assertThat(world.advance()).hasSize(1);
    }

    @Test
    @Tag("L1")
    void newly_startable_steps_go_to_a_waiting_poll_at_once() {
        var key = FlowControl.parallelism("k", 1);
        world.start("r", plan(step("a").keys(key), step("b", "a")));
        world.start("s", plan(step("x").keys(key)));
        var a = world.poll(5).getFirst().claim();
        world.handle(poll("q", 5));
        assertThat(world.advance()).isEmpty();

        world.handle(new UpdateStep(a.unit(), a.fence(), new Update.NoOp()));

        assertThat(world.advance())
                .singleElement()
                .satisfies(
                        served -> assertThat(World.ids(served.assignments())).containsExactlyInAnyOrder("r/b", "s/x"));
    }

    @Test
    @Tag("R0.1")
    void without_limits_all_of_a_run_starts_at_once() {
        var steps = new World.StepBuilder[200];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step("s" + i);
        }
        world.start("r", plan(steps));
        assertThat(world.poll(500)).hasSize(steps.length);
    }

    @Test
    @Tag("R0.1")
    void each_run_counts_its_own_steps_and_ticks() {
        var limits = new RunLimits(2, 1, null, RunLimits.DEFAULT_TICK_INTERVAL);
        for (String run : List.of("r", "s")) {
            world.start(run, plan(limits, step("a"), step("b"), step("c")));
        }
        var first = world.poll(9);
        assertThat(World.ids(first)).as("one tick of each").containsExactly("r/a", "s/a");
        world.passTime(SECOND);
        assertThat(world.pollIds(9)).as("the next tick of each").containsExactly("r/b", "s/b");
        world.passTime(SECOND);
        assertThat(world.pollIds(9)).as("two of each run").isEmpty();
        world.complete(first.getFirst());
        assertThat(world.pollIds(9)).as("the place of its own run").containsExactly("r/c");
    }

    private static ClaimWork poll(String request, int limit) {
        return new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule("m")), limit, LEASE);
    }
}
