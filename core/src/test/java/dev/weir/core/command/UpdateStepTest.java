package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.UpdateStep.Answer;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.json.StorableJson;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S6")
class UpdateStepTest {
    private final World world = new World();

    @Test
    void an_error_is_cut_so_that_it_can_be_kept() {
        String pairs = "\ud83d\ude00".repeat(Update.Failed.ERROR_CHARS_MAX);
        for (String error : List.of(pairs, "x" + pairs, "a\0b", "\ud83d")) {
            String kept = new Update.Failed(error, false).error();
            assertThat(StorableJson.findProblem(kept)).isNull();
            assertThat(kept.length()).isBetween(1, Update.Failed.ERROR_CHARS_MAX);
            assertThat(new Update.Failed(kept, false).error()).isEqualTo(kept);
        }
    }

    @Test
    @Tag("R1.5")
    void a_repeated_report_is_answered_as_replayed_and_changes_nothing() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        assertThat(world.complete(a, "{'x': 1}")).isEqualTo(Answer.APPLIED);
        int moves = world.moves.size();
        assertThat(world.complete(a, "{'x': 1}")).isEqualTo(Answer.REPLAYED);
        assertThat(world.complete(a, "{'x': 2}")).isEqualTo(Answer.UPDATE_CONFLICT);
        assertThat(world.fail(a, "no")).isEqualTo(Answer.UPDATE_CONFLICT);
        assertThat(world.moves).hasSize(moves);
    }

    @Test
    void a_report_that_differs_a_little_is_another() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        assertThat(world.update(a, new Update.NeedsInput(json("0")))).isEqualTo(Answer.APPLIED);
        assertThat(world.complete(a, "124"))
                .as("a result that was only asked for before")
                .isEqualTo(Answer.APPLIED);
        var b = world.poll(1).getFirst();
        assertThat(world.complete(b, "{'debit': true, 'credit': false}")).isEqualTo(Answer.APPLIED);
        assertThat(world.complete(b, "{'debit': false, 'credit': true}")).isEqualTo(Answer.RUN_TERMINAL);
    }

    @Test
    void a_report_that_ended_its_run_is_known_afterwards() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.complete(a, "7");
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
        assertThat(world.complete(a, "7")).isEqualTo(Answer.REPLAYED);
        assertThat(world.complete(a, "8")).isEqualTo(Answer.RUN_TERMINAL);
    }

    @Test
    @Tag("R0.15")
    void an_older_fence_changes_nothing() {
        world.start("r", plan(step("a")));
        var first = world.poll(1).getFirst();
        world.passTime(World.LEASE);
        var second = world.poll(1).getFirst();
        int moves = world.moves.size();
        assertThat(world.complete(first)).isEqualTo(Answer.CLAIM_SUPERSEDED);
        assertThat(world.moves).hasSize(moves);
        assertThat(world.complete(second)).isEqualTo(Answer.APPLIED);
    }

    @Test
    @Tag("R0.15")
    void a_report_after_the_lease_counts_while_its_expiry_is_not_decided() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.now += 2 * World.LEASE;
        assertThat(world.complete(a)).isEqualTo(Answer.APPLIED);
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("R0.15")
    void a_report_after_the_expiry_comes_too_late_even_if_nobody_has_claimed_the_step_since() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.passTime(World.LEASE);
        assertThat(world.complete(a)).isEqualTo(Answer.CLAIM_SUPERSEDED);
    }

    @Test
    void a_report_for_an_unknown_run_step_item_or_fence_is_not_found() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        var done = new Update.NoOp();
        assertThat(world.handle(new UpdateStep(UnitId.of("other", "a"), 1, done)))
                .isEqualTo(Answer.NOT_FOUND);
        assertThat(world.handle(new UpdateStep(UnitId.of("r", "x"), 1, done))).isEqualTo(Answer.NOT_FOUND);
        assertThat(world.handle(new UpdateStep(new UnitId("r", "a", 0), 1, done)))
                .isEqualTo(Answer.NOT_FOUND);
        assertThat(world.handle(new UpdateStep(UnitId.of("r", "a"), a.claim().fence() + 1, done)))
                .isEqualTo(Answer.NOT_FOUND);
    }

    @Test
    @Tag("S10")
    void a_report_to_a_cancelled_run_is_answered_with_run_terminal() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, "enough"));
        for (int i = 0; i < 4; i++) {
            world.passTime(10 * SECOND);
            world.heartbeat(a);
        }
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
        assertThat(world.complete(a)).isEqualTo(Answer.RUN_TERMINAL);
    }

    @Test
    @Tag("R0.12")
    void a_failed_try_is_tried_again_after_a_growing_pause_until_the_tries_are_used_up() {
        world.start("r", plan(step("a").retry(3, Duration.ofSeconds(1))));
        world.fail(world.poll(1).getFirst(), "one");
        assertThat(world.state("r", "a")).isEqualTo(StepState.BACKING_OFF);
        assertThat(world.org.nextWakeup()).isEqualTo(world.now + SECOND);
        world.passTime(SECOND);
        world.fail(world.poll(1).getFirst(), "two");
        assertThat(world.org.nextWakeup()).isEqualTo(world.now + 2 * SECOND);
        world.passTime(2 * SECOND);
        world.fail(world.poll(1).getFirst(), "three");
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    @Tag("R0.12")
    void a_permanent_failure_is_not_tried_again() {
        world.start("r", plan(step("a")));
        world.update(world.poll(1).getFirst(), new Update.Failed("never", true));
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    @Tag("R0.12")
    void being_put_off_uses_up_no_try_but_has_a_maximum_of_its_own() {
        world.start("r", plan(step("a").retry(1, Duration.ofSeconds(1))));
        for (int i = 0; i < 2; i++) {
            var a = world.poll(1).getFirst();
            assertThat(a.attempt()).isEqualTo(1);
            world.update(a, new Update.Rescheduled(5 * SECOND));
            assertThat(world.org.nextWakeup()).isEqualTo(world.now + 5 * SECOND);
            world.passTime(5 * SECOND);
        }
        var last = world.poll(1).getFirst();
        world.update(last, new Update.Rescheduled(5 * SECOND));
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.update(last, new Update.Rescheduled(5 * SECOND))).isEqualTo(Answer.REPLAYED);
    }

    @Test
    @Tag("R2.6")
    void a_no_op_completes_its_step() {
        world.start("r", plan(step("a"), step("b", "a").with("{'a': '${{ steps.a }}'}")));
        world.update(world.poll(1).getFirst(), new Update.NoOp());
        assertThat(world.poll(1).getFirst().input().value())
                .isEqualTo(json("{'a': {'state': 'completed', 'output': null}}"));
    }

    @Test
    @Tag("R0.12")
    void a_retry_keeps_its_place_in_the_waitlist() {
        var one = World.maxSteps(1);
        world.start("r", plan(one, step("old").retry(3, Duration.ofSeconds(1)), step("a"), step("b")));
        var old = world.poll(1).getFirst();
        world.fail(old, "once");
        assertThat(world.pollIds(1)).containsExactly("r/a");
        world.passTime(SECOND);
        world.complete(world.org
                .findClaim(UnitId.of("r", "a"))
                .map(claim -> new Assignment(claim, 1, old.input()))
                .orElseThrow());
        assertThat(world.pollIds(1)).containsExactly("r/old");
    }

    @Test
    @Tag("R0.17")
    void reports_that_come_together_do_not_lose_each_other() {
        world.start("r", plan(step("a"), step("b"), step("c", "a", "b").with("{'s': '${{ steps }}'}")));
        var both = world.poll(2);
        for (Assignment each : both) {
            var update = new Update.Completed(json("'" + each.claim().unit().step() + "'"));
            world.handle(new UpdateStep(each.claim().unit(), each.claim().fence(), update));
        }
        assertThat(world.poll(1).getFirst().input().value())
                .isEqualTo(json("{'s': {'a': {'state': 'completed', 'output': 'a'},"
                        + " 'b': {'state': 'completed', 'output': 'b'}}}"));
    }
}
