package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.11")
class CompensationsTest {
    private final World world = new World();

    @Test
    void completed_steps_are_compensated_in_reverse_order_and_then_the_run_fails() {
        world.start(
                "r",
                plan(
                        step("a").compensateWith("{'was': '${{ steps.a.output }}'}"),
                        step("b").compensateWith("{}"),
                        step("c"),
                        step("last", "a", "b", "c").onFailure(OnFailure.COMPENSATE)));
        var three = world.poll(3);
        world.complete(three.get(1), "'b'");
        world.complete(three.get(2), "'c'");
        world.complete(three.get(0), "'a'");
        fail();
        assertThat(world.state("r")).isEqualTo(RunState.COMPENSATING);
        var undoA = world.poll(5);
        assertThat(World.ids(undoA)).containsExactly("r/a.compensate");
        assertThat(undoA.getFirst().input().value()).isEqualTo(json("{'was': 'a'}"));
        assertThat(world.heartbeat(undoA.getFirst())).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.complete(undoA.getFirst());
        var undoB = world.poll(5);
        assertThat(World.ids(undoB)).containsExactly("r/b.compensate");
        world.complete(undoB.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.complete(undoB.getFirst())).isEqualTo(UpdateStep.Answer.REPLAYED);
    }

    @Test
    void a_failed_compensation_is_recorded_and_the_others_still_run() {
        world.start(
                "r",
                plan(
                        step("a").compensateWith("{}"),
                        step("b", "a").compensateWith("{'x': '${{ steps.b.output.missing.x }}'}"),
                        step("c", "b").compensateWith("{}"),
                        step("last", "c").onFailure(OnFailure.COMPENSATE)));
        for (int i = 0; i < 3; i++) {
            world.complete(world.poll(1).getFirst());
        }
        fail();
        world.fail(world.poll(1).getFirst(), "stuck");
        assertThat(world.state("r", "c.compensate")).isEqualTo(StepState.FAILED);
        assertThat(world.state("r", "b.compensate")).isEqualTo(StepState.FAILED);
        assertThat(world.pollIds(1)).containsExactly("r/a.compensate");
    }

    @Test
    @Tag("S5")
    void undoing_waits_for_the_limits_of_its_step() {
        var key = FlowControl.parallelism("k", 1);
        world.start(
                "r",
                plan(step("a").keys(key).compensateWith("{}"), step("last", "a").onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(1).getFirst());
        world.start("other", plan(step("x").keys(key)));
        var both = world.poll(2);
        assertThat(World.ids(both)).containsExactlyInAnyOrder("r/last", "other/x");
        both.forEach(each -> {
            if (each.claim().unit().run().equals("r")) {
                world.update(each, new Update.Failed("no", true));
            }
        });
        assertThat(world.pollIds(1)).isEmpty();
        both.stream().filter(each -> each.claim().unit().run().equals("other")).forEach(world::complete);
        assertThat(world.pollIds(1)).containsExactly("r/a.compensate");
    }

    @Test
    void neither_a_cancel_nor_a_pause_stops_a_compensation_but_a_person_can_abandon_it() {
        world.start("r", plan(step("a").compensateWith("{}"), step("last", "a").onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(1).getFirst());
        fail();
        assertThat(world.handle(new PauseRun("r"))).isEqualTo(PauseRun.Answer.ENDING);
        world.handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, "quick"));
        var undo = world.poll(1).getFirst();
        assertThat(((Heartbeat.Answer.Extended) world.heartbeat(undo)).cancelRequested())
                .isFalse();
        var unit = UnitId.of("r", "a.compensate");
        assertThat(world.handle(new AbandonStep(unit, "anna", "by hand"))).isEqualTo(AbandonStep.Answer.ABANDONED);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.heartbeat(undo)).isEqualTo(new Heartbeat.Answer.ClaimLost());
    }

    @Test
    void a_silent_worker_loses_a_compensation_and_a_restart_continues_it() {
        world.start(
                "r",
                plan(
                        step("a").compensateWith("{}"),
                        step("b", "a").compensateWith("{}"),
                        step("last", "b").onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(1).getFirst());
        world.complete(world.poll(1).getFirst());
        fail();
        assertThat(world.pollIds(1)).containsExactly("r/b.compensate");
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.passTime(60 * SECOND);
        world.complete(world.poll(1).getFirst());
        world.org = Organisation.restore(world.org.rows(), world.now);
        var claim = new ClaimSteps("q", "w", "r", Set.of(), Set.of(), 5, World.LEASE);
        var claimed = (ClaimSteps.Answer.Claimed) world.handle(claim);
        assertThat(World.ids(claimed.assignments())).containsExactly("r/a.compensate");
        world.complete(claimed.assignments().getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    void a_cancelled_run_is_compensated_if_a_step_fails_and_ends_cancelled() {
        world.start("r", plan(step("a").compensateWith("{}"), step("last", "a").onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(1).getFirst());
        var last = world.poll(1).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        world.update(last, new Update.Failed("no", true));
        assertThat(world.state("r")).isEqualTo(RunState.COMPENSATING);
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    void a_failure_without_on_failure_compensate_undoes_nothing() {
        world.start("r", plan(step("a").compensateWith("{}"), step("last", "a")));
        world.complete(world.poll(1).getFirst());
        fail();
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    private void fail() {
        world.update(world.poll(1).getFirst(), new Update.Failed("no", true));
    }
}
