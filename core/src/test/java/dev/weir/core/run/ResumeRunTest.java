package dev.weir.core.run;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R0.16")
class ResumeRunTest {
    private final World world = new World();

    @Test
    void a_resumed_run_goes_on_where_it_was() {
        world.start("r", plan(step("a")));
        world.handle(new PauseRun("r"));
        assertThat(world.pollIds(1)).isEmpty();
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.RESUMED);
        assertThat(world.pollIds(1)).containsExactly("r/a");
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.NOT_PAUSED);
        assertThat(world.handle(new ResumeRun("x"))).isEqualTo(ResumeRun.Answer.NOT_FOUND);
    }

    private static final int MANY = 3 * FanOutLifecycle.CHUNK_MAX + 5;

    /**
     * Runs a large fan-out in which one item in a thousand completes and all others fail, so that the run is paused.
     */
    private void pausedByMany() {
        var once = step("s").items("range(" + MANY + ")", null).retry(1, Duration.ofSeconds(1));
        world.start("r", plan(once.onFailure(OnFailure.PAUSE), step("after", "s")));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        for (var work = world.poll(500); !work.isEmpty(); work = world.poll(500)) {
            for (Assignment one : work) {
                if (one.claim().unit().item() % 1_000 == 0) {
                    world.complete(one);
                } else {
                    world.fail(one, "no");
                }
            }
        }
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
    }

    private long requested() {
        return IntStream.range(0, MANY)
                .filter(item -> world.state("r", "s", item) == StepState.REQUESTED)
                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R1.10")
    void many_failed_items_are_tried_again_in_parts_each_once_also_across_a_restart(boolean restarts) {
        pausedByMany();
        int before = world.moves.size();
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.RESUMED);
        assertThat(world.moves.size() - before).isLessThan(FanOutLifecycle.CHUNK_MAX + 10);
        assertThat(requested()).isEqualTo(FanOutLifecycle.CHUNK_MAX);
        List<Assignment> first = world.poll(2);
        assertThat(World.ids(first)).containsExactly("r/s/1", "r/s/2");
        world.fail(first.getFirst(), "no again");
        int parts = 1;
        for (; requested() < MANY - 10; parts++) {
            if (restarts) {
                world.restart();
            }
            int known = world.moves.size();
            world.advance();
            assertThat(world.moves.size() - known).isBetween(1, FanOutLifecycle.CHUNK_MAX + 10);
            assertThat(parts).isLessThan(6);
        }
        advanceToEnd(restarts);
        assertThat(world.state("r", "s", 1))
                .as("it has failed after the resume")
                .isEqualTo(StepState.FAILED);
        assertThat(world.org
                        .findStep(UnitId.of("r", "s"))
                        .orElseThrow()
                        .detail()
                        .retryFrom())
                .isEqualTo(StepRow.Detail.NO_RETRY);
        world.complete(first.getLast());
        finish();
        assertThat(world.state("r")).as("one has failed again").isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        finish();
        assertThat(world.state("r", "s")).isEqualTo(StepState.COMPLETED);
    }

    private void advanceToEnd(boolean restarts) {
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        if (restarts) {
            world.restart();
            world.advance();
        }
    }

    private void finish() {
        for (var work = world.poll(500); ids(work, "r/s/"); work = world.poll(500)) {
            work.forEach(world::complete);
        }
    }

    private static boolean ids(List<Assignment> work, String prefix) {
        return World.ids(work).stream().anyMatch(id -> id.startsWith(prefix));
    }

    @Test
    @Tag("R1.10")
    void a_step_does_not_end_while_parts_of_it_are_still_to_be_tried_again() {
        pausedByMany();
        world.handle(new ResumeRun("r"));
        int claimed = 0;
        for (int i = 0; i < 3; i++) {
            var claim = new ClaimSteps("again-" + i, "w", "r", Set.of(), Set.of("s"), 500, World.LEASE);
            for (Assignment work : ((ClaimSteps.Answer.Claimed) world.handle(claim)).assignments()) {
                claimed++;
                world.handle(new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.NoOp()));
            }
        }
        assertThat(claimed).isEqualTo(FanOutLifecycle.CHUNK_MAX);
        assertThat(world.state("r", "s")).isEqualTo(StepState.RUNNING);
        finish();
        assertThat(world.state("r", "s")).isEqualTo(StepState.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("R1.9")
    void a_run_is_cancelled_in_the_middle_of_trying_many_items_again(boolean restarts) {
        pausedByMany();
        world.handle(new ResumeRun("r"));
        if (restarts) {
            world.restart();
        }
        world.handle(new CancelRun("r", null, "enough"));
        if (restarts) {
            world.restart();
        }
        advanceToEnd(restarts);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        assertThat(world.pollIds(5)).isEmpty();
    }

    @Test
    @Tag("R2.11")
    void a_step_whose_condition_failed_is_not_let_through_its_gate_by_a_resume() {
        var asks = step("b", "a").when("steps.a.output.n > 1").gate().onFailure(OnFailure.PAUSE);
        world.start("r", plan(step("a"), asks));
        world.complete(world.poll(1).getFirst(), "{}");
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);

        world.handle(new ResumeRun("r"));

        assertThat(world.pollIds(1)).isEmpty();
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
    }

    @Test
    @Tag("R2.11")
    void a_step_that_was_approved_and_could_not_be_rendered_keeps_its_approval() {
        var asks = step("b").with("{'n': '${{ input.n }}'}").gate().onFailure(OnFailure.PAUSE);
        world.start("r", plan(asks));
        world.handle(new ApproveStep("r", "b", "ada", null));
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);

        world.handle(new ResumeRun("r"));

        var reasons = new OrganisationQueries(world.org, world.now)
                .why(UnitId.of("r", "b"))
                .orElseThrow();
        assertThat(reasons).contains(new WaitReason.Operator()).doesNotContain(new WaitReason.Gate());
    }

    @Test
    void a_step_that_was_put_off_too_often_can_be_put_off_again_after_a_resume() {
        world.start(
                "r",
                plan(
                        step("a").retry(3, Duration.ofSeconds(1)).onFailure(OnFailure.PAUSE),
                        step("i")
                                .items("[1]", null)
                                .retry(3, Duration.ofSeconds(1))
                                .onFailure(OnFailure.PAUSE)));
        while (world.state("r") != RunState.PAUSED) {
            world.poll(2).forEach(one -> world.update(one, new Update.Rescheduled(1)));
            world.passTime(World.SECOND);
        }
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.RESUMED);
        world.advance();
        var again = world.poll(2);
        assertThat(again).hasSize(2);
        again.forEach(one -> world.update(one, new Update.Rescheduled(1)));
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.rows().steps())
                .filteredOn(row -> row.reschedules() > 0)
                .allMatch(row -> row.reschedules() == 1);
    }
}
