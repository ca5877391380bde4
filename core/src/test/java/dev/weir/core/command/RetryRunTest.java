package dev.weir.core.command;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S5")
@Tag("S10")
class RetryRunTest {
    private final World world = new World();

    @Test
    void a_failed_run_is_tried_again_from_the_step_that_failed() {
        world.start(
                "r",
                plan(
                        step("a"),
                        step("b", "a").with("{'a': '${{ steps.a.output }}'}").keys(FlowControl.parallelism("k", 1)),
                        step("note", "b").when("always()"),
                        step("c", "b", "note")),
                "{'x': 1}");
        world.complete(world.poll(1).getFirst(), "'done'");
        failOne();
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(retry("r2")).isEqualTo(new StartRun.Answer.Accepted(RunState.QUEUED));
        assertThat(retry("r2")).isEqualTo(new StartRun.Answer.Existing(RunState.RUNNING));
        assertThat(world.org.findRun("r2").orElseThrow().request().lineage().retryOf())
                .isEqualTo("r");
        assertThat(world.state("r2", "a")).isEqualTo(StepState.COMPLETED);
        var b = world.poll(5);
        assertThat(World.ids(b)).containsExactly("r2/b");
        assertThat(b.getFirst().input().value()).isEqualTo(json("{'a': 'done'}"));
        world.complete(b.getFirst());
        var note = world.poll(5);
        assertThat(World.ids(note)).containsExactly("r2/note");
        world.complete(note.getFirst());
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("r2")).isEqualTo(RunState.COMPLETED);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    void the_same_run_tried_again_without_a_chosen_id_is_one_new_run() {
        assertThat(RetryRun.nextRetryId("r")).isEqualTo("r.retry-1");
        assertThat(RetryRun.nextRetryId("r.retry-1")).isEqualTo("r.retry-2");
        assertThat(RetryRun.nextRetryId("r.retry-9")).isEqualTo("r.retry-10");
        assertThat(RetryRun.nextRetryId("r.retry-x")).isEqualTo("r.retry-x.retry-1");
        assertThat(RetryRun.nextRetryId("r.retry-99999999999999999999"))
                .isEqualTo("r.retry-99999999999999999999.retry-1");
    }

    @Test
    @Tag("R0.11")
    void a_retry_repeats_compensated_steps_and_can_compensate_the_steps_before_them() {
        world.start(
                "r",
                plan(
                        step("a").compensateWith("{}"),
                        step("b", "a").compensateWith("{}"),
                        step("last", "b").onFailure(OnFailure.COMPENSATE)));
        world.complete(world.poll(1).getFirst());
        world.complete(world.poll(1).getFirst());
        failOne();
        world.complete(world.poll(1).getFirst());
        failOne();
        retry("r2");
        assertThat(world.state("r2", "a")).isEqualTo(StepState.COMPLETED);
        var b = world.poll(1);
        assertThat(World.ids(b)).containsExactly("r2/b");
        world.complete(b.getFirst());
        failOne();
        assertThat(world.pollIds(1)).containsExactly("r2/b.compensate");
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.handle(new AbandonStep(UnitId.of("r2", "b.compensate"), "anna", "by hand"));
        assertThat(world.pollIds(1)).containsExactly("r2/a.compensate");
    }

    @Test
    void a_run_that_lives_or_has_completed_is_not_tried_again() {
        world.start("r", plan(step("a")));
        assertThat(retry("r2")).isInstanceOf(StartRun.Answer.Refused.class);
        world.complete(world.poll(1).getFirst());
        assertThat(retry("r2")).isInstanceOf(StartRun.Answer.Refused.class);
    }

    @Test
    void a_retry_of_which_nothing_has_started_survives_a_restart() {
        world.start("r", plan(step("a"), step("b", "a")));
        world.complete(world.poll(1).getFirst(), "7");
        failOne();
        world.handle(new RetryRun("r2", row("r"), steps("r")));
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.advance();
        assertThat(world.pollIds(5)).containsExactly("r2/b");
    }

    private StartRun.Answer retry(String run) {
        var answer = world.handle(new RetryRun(run, row("r"), steps("r")));
        world.advance();
        return answer;
    }

    private void failOne() {
        world.update(world.poll(1).getFirst(), new Update.Failed("no", true));
    }

    /** Returns the last row of a run in the moves, as a journal stores it. */
    private RunRow row(String run) {
        return world.moves.stream()
                .filter(Move.RunMoved.class::isInstance)
                .map(move -> ((Move.RunMoved) move).row())
                .filter(row -> row.id().equals(run))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private List<StepRow> steps(String run) {
        Map<UnitId, StepRow> rows = new LinkedHashMap<>();
        for (Move move : world.moves) {
            if (move instanceof Move.StepMoved moved && moved.row().id().run().equals(run)) {
                rows.put(moved.row().id(), moved.row());
            }
        }
        return new ArrayList<>(rows.values());
    }
}
