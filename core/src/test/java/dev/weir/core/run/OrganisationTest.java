package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.admission.Explanation;
import dev.weir.core.command.ClaimSteps;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Deadline;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrganisationTest {
    private final World world = new World();

    @Test
    void a_run_without_steps_completes_at_once() {
        world.start("r", plan());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("R0.10")
    void a_step_is_ready_when_all_that_it_needs_is_done() {
        world.start("r", plan(step("a"), step("b"), step("c", "a", "b")));
        var first = world.poll(10);
        assertThat(World.ids(first)).containsExactly("r/a", "r/b");
        world.complete(first.getFirst());
        assertThat(world.pollIds(10)).isEmpty();
        assertThat(world.state("r", "c")).isEqualTo(StepState.BLOCKED);
        world.complete(first.getLast());
        var last = world.poll(10);
        assertThat(World.ids(last)).containsExactly("r/c");
        world.complete(last.getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void a_step_sees_the_input_and_the_outputs_before_it() {
        var chain = plan(
                step("a").with("{'n': '${{ input.n }}'}"),
                step("b", "a").with("{'got': '${{ steps.a.output.x + 1 }}'}"));
        world.start("r", chain, "{'n': 7}");
        var a = world.poll(1).getFirst();
        assertThat(a.input().value()).isEqualTo(json("{'n': 7}"));
        world.complete(a, "{'x': 41}");
        assertThat(world.poll(1).getFirst().input().value()).isEqualTo(json("{'got': 42}"));
    }

    @Test
    @Tag("L6")
    void a_step_whose_input_cannot_be_rendered_fails_and_says_why() {
        world.start(
                "r", plan(step("a").with("{'n': '${{ input.missing }}'}").onFailure(OnFailure.CONTINUE), step("b")));
        var row = world.org.findStep(UnitId.of("r", "a")).orElseThrow();
        assertThat(row.state()).isEqualTo(StepState.FAILED);
        assertThat(row.lastOutcome()).asString().contains("step a", "missing");
        assertThat(world.pollIds(2)).containsExactly("r/b");
    }

    @Test
    @Tag("R0.10")
    void a_failed_step_fails_its_run_and_what_needs_it_never_runs() {
        world.start("r", plan(step("a").retry(1, Duration.ofSeconds(1)), step("b", "a")));
        world.fail(world.poll(1).getFirst(), "broken");
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves)
                .filteredOn(Move.StepMoved.class::isInstance)
                .extracting(move -> ((Move.StepMoved) move).row().id() + " "
                        + ((Move.StepMoved) move).row().state())
                .contains("r/a FAILED", "r/b CANCELLED");
    }

    @Test
    @Tag("R0.10")
    void after_continue_the_steps_that_need_the_failed_one_run_and_see_its_state() {
        world.start(
                "r",
                plan(
                        step("a").retry(1, Duration.ofSeconds(1)).onFailure(OnFailure.CONTINUE),
                        step("b", "a").with("{'a': '${{ steps.a.state }}'}")));
        world.fail(world.poll(1).getFirst(), "broken");
        var b = world.poll(1).getFirst();
        assertThat(b.input().value()).isEqualTo(json("{'a': 'failed'}"));
        world.complete(b);
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    @Tag("R0.10")
    void a_step_that_runs_in_any_case_runs_after_a_failure_and_the_run_still_fails() {
        world.start(
                "r",
                plan(
                        step("a").retry(1, Duration.ofSeconds(1)),
                        step("b", "a"),
                        step("clean", "b").when("always()"),
                        step("alarm", "a").when("failed()"),
                        step("cheer", "a").when("succeeded()")));
        world.fail(world.poll(1).getFirst(), "broken");
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        var last = world.poll(5);
        assertThat(World.ids(last)).containsExactlyInAnyOrder("r/clean", "r/alarm");
        last.forEach(world::complete);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    @Tag("R0.10")
    void a_step_whose_condition_is_false_is_skipped_and_its_dependents_go_on() {
        world.start("r", plan(step("a").when("input.go"), step("b", "a")), "{'go': false}");
        assertThat(world.state("r", "a")).isEqualTo(StepState.SKIPPED);
        assertThat(world.pollIds(5)).containsExactly("r/b");
    }

    @Test
    @Tag("R0.10")
    void a_failure_that_pauses_lets_an_operator_try_the_step_again() {
        world.start("r", plan(step("a").retry(1, Duration.ofSeconds(1)).onFailure(OnFailure.PAUSE), step("b", "a")));
        world.fail(world.poll(1).getFirst(), "broken");
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
        assertThat(world.state("r", "a")).isEqualTo(StepState.WAITING);
        assertThat(world.pollIds(5)).isEmpty();
        assertThat(world.handle(new ResumeRun("r"))).isEqualTo(ResumeRun.Answer.RESUMED);
        var again = world.poll(5);
        assertThat(World.ids(again)).containsExactly("r/a");
        world.complete(again.getFirst());
        assertThat(world.pollIds(5)).containsExactly("r/b");
    }

    @Test
    void a_sleep_holds_nothing_and_ends_by_itself() {
        world.start("r", plan(step("nap").action(new Action.Sleep(Duration.ofHours(3))), step("b", "nap")));
        assertThat(world.state("r", "nap")).isEqualTo(StepState.WAITING);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.running("r")).isEmpty();
        assertThat(world.org.nextWakeup()).isEqualTo(world.now + 3 * 3600 * SECOND);
        world.passTime(3 * 3600 * SECOND);
        assertThat(world.pollIds(1)).containsExactly("r/b");
    }

    @Test
    @Tag("R0.12")
    @Tag("R3.8")
    void a_timeout_runs_from_the_grant_and_counts_as_a_failed_try() {
        world.start("r", plan(step("a").timeout(Duration.ofSeconds(20)).retry(2, Duration.ofSeconds(1))));
        world.passTime(100 * SECOND);
        var a = world.poll(1).getFirst();
        world.passTime(19 * SECOND);
        assertThat(world.heartbeat(a)).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.passTime(SECOND);
        assertThat(world.state("r", "a")).isEqualTo(StepState.BACKING_OFF);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        world.passTime(SECOND);
        var second = world.poll(1).getFirst();
        assertThat(second.attempt()).isEqualTo(2);
        world.passTime(20 * SECOND);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    void a_short_timeout_is_reported_as_it_was_written() {
        world.start(
                "r", plan(step("a").timeout(Duration.ofMillis(500)), step("b").when("always()")));
        world.poll(1);
        world.passTime(SECOND);
        assertThat(error("r", "a")).isEqualTo("timed out after 500ms");
    }

    private @Nullable String error(String run, String step) {
        var last = world.org.findStep(UnitId.of(run, step)).orElseThrow().lastOutcome();
        return last instanceof Update.Failed failed ? failed.error() : null;
    }

    @Test
    @Tag("R0.7")
    @Tag("S8")
    void an_expired_claim_makes_its_step_ready_again_and_the_next_fence_is_greater() {
        world.start("r", plan(step("a")));
        var first = world.poll(1).getFirst();
        world.passTime(World.LEASE - 1);
        assertThat(world.state("r", "a")).isEqualTo(StepState.RUNNING);
        world.passTime(1);
        assertThat(world.state("r", "a")).isEqualTo(StepState.READY);
        var second = world.poll(1).getFirst();
        assertThat(second.claim().fence()).isGreaterThan(first.claim().fence());
        assertThat(second.attempt()).as("an expiry uses up no try").isEqualTo(1);
        assertThat(world.complete(first)).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        assertThat(world.complete(second)).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    @Tag("R0.7")
    void a_step_that_kills_its_workers_does_not_go_on_for_ever() {
        world.start("r", plan(step("a").retry(2, Duration.ofSeconds(1))));
        for (int i = 0; i < ClaimLifecycle.FREE_EXPIRIES_MAX + 2; i++) {
            assertThat(world.pollIds(1)).as("claim %s", i).hasSize(1);
            world.passTime(World.LEASE + 2 * SECOND);
        }
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    @Tag("R4.13")
    void a_run_that_is_over_its_deadline_is_stopped() {
        var deadline = new Deadline(Duration.ofSeconds(20), Deadline.Action.FAIL);
        var policy = new Workflow.Policy(deadline, CancelPolicy.ALLOW_FINISH, 0);
        world.start("r", plan(RunLimits.NONE, WorkflowLimits.NONE, policy, step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        world.passTime(20 * SECOND);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(World.LEASE, true));
        world.complete(a);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    @Tag("S5")
    void built_in_steps_pass_admission_like_any_other() {
        var one = FlowControl.parallelism("k", 1);
        var call = new Action.Call(
                Action.Method.GET, Template.of("https://x.example/${{ input.n }}"), Template.emptyObject(), null);
        world.start("r", plan(step("a").keys(one), step("b").action(call).keys(one)), "{'n': 7}");
        var a = world.poll(1).getFirst();
        assertThat(world.poll(BuiltInModule.CALL, 1)).isEmpty();
        assertThat(world.org.hasWorkFor(BuiltInModule.CALL)).isFalse();
        world.complete(a);
        assertThat(world.org.hasWorkFor(BuiltInModule.CALL)).isTrue();
        world.passTime(21 * World.SECOND);
        assertThat(new OrganisationQueries(world.org, world.now).why(UnitId.of("r", "b")))
                .contains(List.of(new WaitReason.CallCapacity()));
        var any = new ClaimSteps("q", "worker", "r", Set.of(), Set.of(), 9, World.LEASE);
        assertThat(((ClaimSteps.Answer.Claimed) world.handle(any)).assignments())
                .as("nobody but Weir makes calls")
                .isEmpty();
        assertThat(world.poll(BuiltInModule.CALL, 1).getFirst().input().value())
                .isEqualTo(json("{'method': 'GET', 'url': 'https://x.example/7', 'headers': {}}"));
    }

    @Test
    @Tag("R3.1")
    void a_step_whose_keys_come_out_the_same_fails_and_says_so() {
        var keys = new FlowControl[] {
            FlowControl.parallelism("${{ input.a }}", 1), FlowControl.parallelism("${{ input.b }}", 1)
        };
        world.start("r", plan(step("a").keys(keys)), "{'a': 'x', 'b': 'x'}");
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
        assertThat(world.moves).anyMatch(move -> move.toString().contains("name every key once"));
    }

    @Test
    @Tag("RX.2")
    void a_step_and_a_run_that_wait_can_say_why() {
        var one = FlowControl.parallelism("k", 1);
        world.limitRuns(1);
        world.start("r", plan(step("a").keys(one), step("b").keys(one)));
        world.start("queued", plan(step("a")));
        world.poll(1);
        assertThat(world.org.why(UnitId.of("r", "b"), world.now).orElseThrow().blockers())
                .extracting(Explanation.Blocker::limit)
                .contains(new LimitId.Key("k"));
        assertThat(world.org.why("queued", world.now).orElseThrow().blockers())
                .extracting(Explanation.Blocker::limit)
                .containsExactly(new LimitId.OrgRuns());
        assertThat(world.org.why(UnitId.of("r", "a"), world.now)).isEmpty();
    }

    @Test
    void time_does_not_go_back() {
        world.advance();
        assertThatThrownBy(() -> world.org.advance(world.now - 1)).hasMessageContaining("must not go back");
    }
}
