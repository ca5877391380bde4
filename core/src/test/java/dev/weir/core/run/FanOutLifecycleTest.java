package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.state.FanOutTrimming;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FanOutLifecycleTest {
    private final World world = new World();

    @Test
    @Tag("R1.9")
    void a_large_fan_out_is_cancelled_in_chunks_and_nothing_of_it_starts_meanwhile() {
        int total = 3 * FanOutLifecycle.CHUNK_MAX + 5;
        world.start(
                "r",
                plan(
                        step("a").items("range(" + total + ")", null),
                        step("clean", "a").when("always()")));
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        var two = world.poll(2);
        int before = world.moves.size();
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(world.moves.size() - before).isLessThan(2 * FanOutLifecycle.CHUNK_MAX);
        assertThat(world.pollIds(5)).isEmpty();
        world.restart();
        int advances = 0;
        while (world.org.nextWakeup() <= world.now) {
            int known = world.moves.size();
            assertThat(world.pollIds(5)).isEmpty();
            assertThat(world.moves.size() - known).isLessThan(3 * FanOutLifecycle.CHUNK_MAX);
            advances++;
        }
        assertThat(advances).isBetween(1, 5);
        assertThat(world.state("r", "a", total - 1)).isEqualTo(StepState.CANCELLED);
        world.complete(two.get(0));
        assertThat(world.pollIds(5)).isEmpty();
        world.complete(two.get(1));
        assertThat(world.pollIds(5)).containsExactly("r/clean");
    }

    private void advanceToEnd() {
        while (world.org.nextWakeup() <= world.now) {
            int known = world.moves.size();
            world.advance();
            assertThat(world.moves.size() - known).isLessThan(2 * FanOutLifecycle.CHUNK_MAX);
        }
    }

    @Test
    @Tag("R1.10")
    void a_large_fan_out_is_skipped_in_chunks_also_across_a_restart() {
        int total = 3 * FanOutLifecycle.CHUNK_MAX + 5;
        world.start("r", plan(step("a").optional().items("range(" + total + ")", null), step("b", "a")));
        advanceToEnd();
        int before = world.moves.size();
        assertThat(world.handle(new SkipStep("r", "a"))).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.moves.size() - before).isLessThan(2 * FanOutLifecycle.CHUNK_MAX);
        assertThat(world.state("r", "a")).isEqualTo(StepState.READY);
        assertThat(world.handle(new SkipStep("r", "a"))).isEqualTo(SkipStep.Answer.SKIPPED);
        assertThat(world.pollIds(5)).isEmpty();
        world.restart();
        assertThat(world.pollIds(5)).isEmpty();
        advanceToEnd();
        assertThat(world.state("r", "a")).isEqualTo(StepState.SKIPPED);
        assertThat(world.state("r", "a", total - 1)).isEqualTo(StepState.CANCELLED);
        assertThat(world.pollIds(5)).containsExactly("r/b");
    }

    @Test
    @Tag("R1.10")
    void the_approval_of_a_large_fan_out_is_taken_back_and_given_again_in_chunks() {
        int total = 3 * FanOutLifecycle.CHUNK_MAX + 5;
        world.start("r", plan(step("a").gate().items("range(" + total + ")", 2)));
        for (boolean restarted : List.of(false, true)) {
            world.handle(new ApproveStep("r", "a", "anna", null));
            advanceToEnd();
            assertThat(world.handle(new RevokeApproval("r", "a", "ben", null)))
                    .isEqualTo(RevokeApproval.Answer.REVOKED);
            assertThat(world.pollIds(5)).isEmpty();
            assertThat(new OrganisationQueries(world.org, world.now)
                            .why(UnitId.of("r", "a"))
                            .orElseThrow())
                    .containsExactly(new WaitReason.Gate());
            if (restarted) {
                world.restart();
            }
        }
        world.handle(new ApproveStep("r", "a", "anna", null));
        advanceToEnd();
        var two = world.poll(5);
        assertThat(World.ids(two)).containsExactly("r/a/0", "r/a/1");
        world.complete(two.getFirst());
        assertThat(world.pollIds(5)).containsExactly("r/a/2");
        world.restart();
        world.handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, "enough"));
        advanceToEnd();
        assertThat(world.state("r", "a", total - 1)).isEqualTo(StepState.CANCELLED);
    }

    @Test
    @Tag("L5")
    void many_large_fan_outs_share_what_is_done_in_one_advance() {
        for (int i = 0; i < 40; i++) {
            world.handle(StartRun.of("r" + i, plan(step("a").items("range(2000)", 1)), json("{}")));
        }
        world.handle(StartRun.of("small", plan(step("a").items("[1, 2]", 1)), json("{}")));
        int advances = 0;
        while (world.pollIds(100).stream().noneMatch(unit -> unit.startsWith("small"))) {
            advances++;
            assertThat(advances).isLessThan(10);
        }
        advanceToEnd();
    }

    @Test
    void outputs_that_are_too_large_together_are_with_their_items_only() {
        world.start(
                "r", plan(step("a").items("range(20)", null), step("b", "a").with("{'v': '${{ steps.a.output }}'}")));
        String large = "'" + "x".repeat(FanOutTrimming.OUTPUTS_CHARS_MAX / 16) + "'";
        world.poll(20).forEach(work -> world.complete(work, large));
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'v': null}"));
    }

    @Test
    void a_fan_out_that_is_cancelled_while_it_is_made_ends_also_after_a_restart() {
        world.start("r", plan(step("a").items("range(" + (4 * FanOutLifecycle.CHUNK_MAX) + ")", 1)));
        world.advance();
        world.handle(new CancelRun("r", null, "enough"));
        world.restart();
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    @Tag("R1.1")
    @Tag("R1.2")
    @Tag("R1.3")
    void five_items_with_concurrency_three_are_all_made_first_and_refill_in_order() {
        world.start(
                "r",
                plan(step("s")
                        .items("['a', 'b', 'c', 'd', 'e']", 3)
                        .with("{'v': '${{ item }}', 'n': '${{ index }}'}")));
        var made =
                world.moves.stream().filter(Move.ItemCreated.class::isInstance).toList();
        assertThat(made).hasSize(5);
        assertThat(world.moves).noneMatch(Move.Granted.class::isInstance);

        var first = world.poll(9);
        assertThat(World.ids(first)).containsExactly("r/s/0", "r/s/1", "r/s/2");
        assertThat(first.get(1).input().value()).isEqualTo(json("{'v': 'b', 'n': 1}"));
        assertThat(world.state("r", "s")).isEqualTo(StepState.RUNNING);
        assertThat(world.state("r", "s", 3)).isEqualTo(StepState.REQUESTED);
        world.complete(first.get(1));
        assertThat(world.pollIds(9)).containsExactly("r/s/3");
        world.complete(first.get(0));
        assertThat(world.pollIds(9)).containsExactly("r/s/4");
    }

    @Test
    @Tag("R1.4")
    @Tag("R1.6")
    void successors_start_once_after_the_last_item_and_see_the_outputs_in_item_order() {
        world.start(
                "r", plan(step("s").items("[1, 2, 3]", null), step("t", "s").with("{'all': '${{ steps.s.output }}'}")));
        var items = world.poll(9);
        for (int i : List.of(2, 0, 1)) {
            assertThat(world.pollIds(9)).isEmpty();
            world.complete(items.get(i), "'out" + i + "'");
            assertThat(world.complete(items.get(i), "'out" + i + "'")).isEqualTo(UpdateStep.Answer.REPLAYED);
        }
        var last = world.poll(9);
        assertThat(World.ids(last)).containsExactly("r/t");
        assertThat(last.getFirst().input().value()).isEqualTo(json("{'all': ['out0', 'out1', 'out2']}"));
        assertThat(world.pollIds(9)).isEmpty();
    }

    @Test
    @Tag("R1.6")
    void an_empty_list_completes_the_step_at_once() {
        world.start("r", plan(step("s").items("input.list", 3), step("t", "s")), "{'list': []}");
        assertThat(world.state("r", "s")).isEqualTo(StepState.COMPLETED);
        assertThat(world.pollIds(9)).containsExactly("r/t");
    }

    @Test
    @Tag("R1.6")
    void items_that_are_not_a_list_fail_the_step_with_a_clear_error() {
        world.start(
                "r", plan(step("s").items("input.list", 3).onFailure(OnFailure.CONTINUE), step("t")), "{'list': 7}");
        var row = world.org.findStep(UnitId.of("r", "s")).orElseThrow();
        assertThat(row.state()).isEqualTo(StepState.FAILED);
        assertThat(row.lastOutcome()).asString().contains("step s", "expected a list", "a number");
    }

    @Test
    @Tag("R1.7")
    void a_batch_is_one_item_and_the_last_may_be_short() {
        world.start(
                "r",
                plan(step("s")
                        .items("[1, 2, 3, 4, 5]", 2, 2, FailureTolerance.NONE)
                        .with("{'chunk': '${{ item }}'}")));
        var first = world.poll(9);
        assertThat(World.ids(first)).containsExactly("r/s/0", "r/s/1");
        assertThat(first.getLast().input().value()).isEqualTo(json("{'chunk': [3, 4]}"));
        world.complete(first.getFirst());
        assertThat(world.poll(9).getFirst().input().value()).isEqualTo(json("{'chunk': [5]}"));
    }

    @Test
    @Tag("R1.8")
    void a_failed_item_is_tried_again_by_itself_and_fails_the_step_after_its_siblings() {
        world.start("r", plan(step("s").items("[1, 2]", 2).retry(2, Duration.ofSeconds(1))));
        var items = world.poll(9);
        world.fail(items.getFirst(), "once");
        assertThat(world.state("r", "s", 0)).isEqualTo(StepState.BACKING_OFF);
        world.passTime(SECOND);
        world.fail(world.poll(1).getFirst(), "twice");
        assertThat(world.state("r", "s", 0)).isEqualTo(StepState.FAILED);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        world.complete(items.getLast());
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves)
                .filteredOn(Move.RunStopping.class::isInstance)
                .singleElement()
                .asString()
                .contains("1 of 2 items failed", "item 0: twice");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R1.8")
    void as_many_items_may_fail_as_are_tolerated(boolean count) {
        FailureTolerance tolerance = count ? new FailureTolerance.Count(1) : new FailureTolerance.Percent(50);
        world.start(
                "r",
                plan(
                        step("s").items("[1, 2]", null, null, tolerance),
                        step("t", "s").with("{'o': '${{ steps.s.output }}'}")));
        var items = world.poll(9);
        world.update(items.getFirst(), new Update.Failed("no", true));
        world.complete(items.getLast(), "2");
        assertThat(world.poll(9).getFirst().input().value()).isEqualTo(json("{'o': [null, 2]}"));
    }

    @Test
    @Tag("R3.2")
    void keys_are_rendered_for_each_item() {
        var key = FlowControl.parallelism("c-${{ item }}", 1);
        world.start("r", plan(step("s").items("['x', 'x', 'y']", null).keys(key)));
        var items = world.poll(9);
        assertThat(World.ids(items)).containsExactly("r/s/0", "r/s/2");
        world.complete(items.getFirst());
        assertThat(world.pollIds(9)).containsExactly("r/s/1");
    }

    @Test
    @Tag("L6")
    void an_item_that_cannot_be_rendered_fails_alone() {
        world.start(
                "r",
                plan(step("s")
                        .items("[{'a': 1}, {'b': 2}]", null, null, new FailureTolerance.Count(1))
                        .with("{'a': '${{ item.a }}'}")));
        assertThat(world.state("r", "s", 1)).isEqualTo(StepState.FAILED);
        world.complete(world.poll(9).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("R1.9")
    void a_cancel_takes_waiting_items_out_and_lets_running_ones_finish() {
        world.start("r", plan(step("s").items("[1, 2, 3]", 1)));
        var item = world.poll(9).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        assertThat(world.state("r", "s", 1)).isEqualTo(StepState.CANCELLED);
        assertThat(world.pollIds(9)).isEmpty();
        world.complete(item);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    @Test
    @Tag("R0.10")
    void a_resumed_run_tries_the_failed_items_again() {
        world.start("r", plan(step("s").items("[1, 2]", null).onFailure(OnFailure.PAUSE)));
        var items = world.poll(9);
        world.update(items.getFirst(), new Update.Failed("no", true));
        world.complete(items.getLast());
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        world.handle(new ResumeRun("r"));
        var again = world.poll(9);
        assertThat(World.ids(again)).containsExactly("r/s/0");
        world.complete(again.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("R1.1")
    @Tag("R1.10")
    void a_large_fan_out_is_made_in_chunks_and_goes_on_where_it_stopped() {
        int size = 6 * FanOutLifecycle.CHUNK_MAX + 10;
        world.start("big", plan(step("s").items("range(" + size + ")", 2).with("{'n': '${{ item }}'}")));
        world.start("small", plan(step("a")));
        assertThat(createdCount()).isLessThan(size);
        assertThat(world.pollIds(9))
                .as("others are not held up, and no item starts")
                .containsExactly("small/a");

        var memoryRows = new MemoryRows();
        memoryRows.apply(world.moves);
        world.org = Organisation.restore(memoryRows.rows(world.now), world.now);
        while (world.org.nextWakeup() <= world.now) {
            world.advance();
        }
        assertThat(createdCount()).isEqualTo(size);
        assertThat(world.pollIds(9)).containsExactly("big/s/0", "big/s/1");
    }

    private long createdCount() {
        return world.moves.stream().filter(Move.ItemCreated.class::isInstance).count();
    }
}
