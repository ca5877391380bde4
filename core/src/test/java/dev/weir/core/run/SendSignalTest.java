package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.SendSignal;
import dev.weir.core.definition.Action;
import dev.weir.core.run.World.StepBuilder;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.16")
class SendSignalTest {
    private final World world = new World();

    @Test
    void a_step_waits_for_its_signal_holds_nothing_and_gives_what_came() {
        world.start(
                "r",
                plan(World.maxSteps(1), wait("w"), step("b", "w").with("{'w': '${{ steps.w.output }}'}"), step("c")));
        assertThat(world.pollIds(5)).containsExactly("r/c");
        assertThat(send("other", "1")).isEqualTo(SendSignal.Answer.KEPT);
        assertThat(send("go", "{'n': 1}")).isEqualTo(SendSignal.Answer.DELIVERED);
        world.passTime(World.LEASE);
        assertThat(world.poll(5).stream().map(each -> each.input().value())).contains(json("{'w': {'n': 1}}"));
    }

    @Test
    void a_run_that_only_waits_for_a_signal_is_waiting_for_months_if_need_be() {
        world.start("r", plan(wait("w")));
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        world.passTime(90L * 24 * 3_600 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.WAITING);
        send("go", "1");
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.RUN_ENDED);
        assertThat(world.handle(new SendSignal("x", "go", json("1")))).isEqualTo(SendSignal.Answer.NOT_FOUND);
    }

    @Test
    @Tag("S7")
    void early_signals_are_kept_in_order_and_each_goes_to_one_step() {
        world.start(
                "r",
                plan(
                        step("a"),
                        wait("one", "a"),
                        wait("two", "one"),
                        step("b", "two").with("{'s': '${{ steps }}'}")));
        send("go", "1");
        send("go", "2");
        assertThat(send("go", "3")).isEqualTo(SendSignal.Answer.KEPT);
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.complete(world.poll(1).getFirst());
        var b = world.poll(1).getFirst().input().value();
        assertThat(b.at("/s/one/output")).isEqualTo(json("1"));
        assertThat(b.at("/s/two/output")).isEqualTo(json("2"));
        assertThat(world.org.rows().signals()).extracting(Signal::payload).containsExactly(json("3"));
    }

    @Test
    void no_number_is_given_twice_however_many_signals_come_and_are_taken_at_one_time() {
        int many = 40;
        var steps = new StepBuilder[many + 2];
        steps[0] = step("a");
        for (int i = 1; i <= many; i++) {
            steps[i] = wait("w" + i, i == 1 ? "a" : "w" + (i - 1));
        }
        steps[many + 1] = step("b", "w" + many);
        world.start("r", plan(steps));
        for (int i = 0; i < many; i++) {
            assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.KEPT);
        }
        world.complete(world.poll(1).getFirst());
        assertThat(world.org.rows().signals()).isEmpty();
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.KEPT);
        world.now += many / 2;
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.KEPT);
        assertThat(world.moves.stream()
                        .filter(Move.SignalKept.class::isInstance)
                        .map(move -> ((Move.SignalKept) move).signal().number()))
                .hasSize(many + 2)
                .doesNotHaveDuplicates();
    }

    @Test
    void without_a_signal_in_time_the_step_has_failed_and_none_can_come_too_late() {
        world.start(
                "r",
                plan(
                        step("w").action(new Action.WaitFor("go", Duration.ofSeconds(10))),
                        step("b", "w").when("always()")));
        world.passTime(9 * SECOND);
        assertThat(world.state("r", "w")).isEqualTo(StepState.WAITING);
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.passTime(SECOND);
        assertThat(world.state("r", "w")).isEqualTo(StepState.FAILED);
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.KEPT);
    }

    @Test
    @Tag("S6")
    void a_signal_that_is_sent_again_is_the_same_one_whether_it_is_kept_taken_or_waited_for() {
        world.start(
                "r", plan(step("a"), wait("one", "a"), wait("two", "one"), wait("three", "two"), step("b", "three")));
        assertThat(send("s1", "go", "1")).isEqualTo(SendSignal.Answer.KEPT);
        sendsNothing("s1", "1", SendSignal.Answer.KEPT);
        assertThat(send("s1", "go", "2")).isEqualTo(SendSignal.Answer.OTHER_BODY);
        assertThat(send("s1", "other", "1")).isEqualTo(SendSignal.Answer.OTHER_BODY);
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r", "one")).isEqualTo(StepState.COMPLETED);
        sendsNothing("s1", "1", SendSignal.Answer.DELIVERED);
        assertThat(send("s2", "go", "1")).isEqualTo(SendSignal.Answer.DELIVERED);
        assertThat(world.state("r", "two")).isEqualTo(StepState.COMPLETED);
        world.restart();
        sendsNothing("s1", "1", SendSignal.Answer.DELIVERED);
        sendsNothing("s2", "1", SendSignal.Answer.DELIVERED);
        assertThat(send("s2", "go", "2")).isEqualTo(SendSignal.Answer.OTHER_BODY);
        assertThat(world.state("r", "three")).isEqualTo(StepState.WAITING);
        assertThat(send("go", "3")).as("without an id").isEqualTo(SendSignal.Answer.DELIVERED);
    }

    @Test
    void the_total_size_of_kept_signals_is_bounded_also_after_a_restart() {
        world.start("r", plan(step("a"), wait("w", "a"), step("b", "w")));
        String large = "'" + "x".repeat(Update.OUTPUT_CHARS_MAX - 4) + "'";
        for (int i = 0; i < 16; i++) {
            assertThat(send("go", large)).isEqualTo(SendSignal.Answer.KEPT);
        }
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.TOO_MANY);
        world.restart();
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.TOO_MANY);
        world.complete(world.poll(1).getFirst());
        assertThat(send("go", large)).as("once a step has taken one").isEqualTo(SendSignal.Answer.KEPT);
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.TOO_MANY);
    }

    private void sendsNothing(String id, String payload, SendSignal.Answer answer) {
        var decision = world.org.handle(new SendSignal("r", id, "go", json(payload)), world.now);
        assertThat(decision.answer()).isEqualTo(answer);
        assertThat(decision.moves()).isEmpty();
    }

    private SendSignal.Answer send(String id, String name, String payload) {
        return world.handle(new SendSignal("r", id, name, json(payload)));
    }

    @Test
    @Tag("R1.9")
    void a_cancel_ends_the_wait() {
        world.start("r", plan(wait("w")));
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void no_more_signals_are_kept_for_a_run_than_it_may_have() {
        world.start("r", plan(step("a")));
        for (int i = 0; i < SignalDelivery.KEPT_MAX; i++) {
            send("go", "1");
        }
        assertThat(send("go", "1")).isEqualTo(SendSignal.Answer.TOO_MANY);
    }

    private static World.StepBuilder wait(String id, String... needs) {
        return step(id, needs).action(new Action.WaitFor("go", null));
    }

    private SendSignal.Answer send(String name, String payload) {
        return world.handle(new SendSignal("r", name, json(payload)));
    }
}
