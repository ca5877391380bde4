package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StartRunTest {
    private final World world = new World();

    @Test
    @Tag("R2.13")
    void only_the_chosen_steps_and_what_they_need_are_done() {
        var plan =
                plan(step("a"), step("b", "a"), step("c", "a"), step("d", "c").when("always()"));
        var some = targets("r", plan, 0, "b");
        assertThat(world.handle(some)).isInstanceOf(StartRun.Answer.Accepted.class);
        assertThat(world.handle(some)).isInstanceOf(StartRun.Answer.Existing.class);
        assertThat(world.handle(targets("r", plan, 0, "c"))).isInstanceOf(StartRun.Answer.OtherBody.class);
        assertThat(world.handle(targets("x", plan, 0, "nothing"))).isInstanceOf(StartRun.Answer.Refused.class);
        world.advance();
        assertThat(world.state("r", "c")).isEqualTo(StepState.SKIPPED);
        assertThat(world.state("r", "d")).isEqualTo(StepState.SKIPPED);
        world.complete(world.poll(5).getFirst());
        world.complete(world.poll(5).getFirst());
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void a_start_that_was_put_off_asks_for_its_place_when_its_time_comes() {
        var limits = new WorkflowLimits(1, null, null, 10);
        var plan = World.plan(RunLimits.NONE, limits, Workflow.Policy.DEFAULT, step("a"));
        world.handle(targets("late", plan, 100 * World.SECOND));
        world.passTime(99 * World.SECOND);
        assertThat(world.state("late")).isEqualTo(RunState.QUEUED);
        world.start("first", plan);
        assertThat(world.state("first")).isEqualTo(RunState.RUNNING);
        world.org = Organisation.restore(world.org.rows(), world.now);
        world.passTime(2 * World.SECOND);
        assertThat(world.state("late")).isEqualTo(RunState.QUEUED);
        world.complete(world.poll(1).getFirst());
        assertThat(world.state("late")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void no_run_has_a_priority_that_its_tickets_cannot_have() {
        var plan = plan(step("a"));
        for (int priority : List.of(-101, 101, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            assertThatThrownBy(
                            () -> new StartRun(new RunRequest("r", plan, json("{}"), priority, null, new TreeMap<>())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("priority must be from -100 to 100, found " + priority);
        }
    }

    @Test
    @Tag("R0.14")
    void a_start_that_differs_a_little_is_another() {
        var plan = plan(step("a"));
        world.start("swapped", plan, "{'debit': true, 'credit': false}");
        assertThat(world.start("swapped", plan, "{'debit': false, 'credit': true}"))
                .isEqualTo(new StartRun.Answer.OtherBody());
        world.start("moved", plan, "{'a': 1, 'b': 0}");
        assertThat(world.start("moved", plan, "{'a': 3, 'b': 2}")).isEqualTo(new StartRun.Answer.OtherBody());
        assertThat(world.start("moved", plan, "{'b': 0, 'a': 1}"))
                .isEqualTo(new StartRun.Answer.Existing(RunState.RUNNING));
    }

    private static StartRun targets(String run, Plan plan, long delay, String... targets) {
        var options = new RunRequest.Options(delay, List.of(targets));
        return new StartRun(
                new RunRequest(run, plan, World.json("{}"), 0, null, new TreeMap<>(), options, RunLineage.NONE));
    }

    @Test
    @Tag("R0.14")
    void the_same_start_again_gives_the_first_run() {
        var plan = plan(step("a"));
        assertThat(world.start("r", plan, "{'n': 1}")).isEqualTo(new StartRun.Answer.Accepted(RunState.QUEUED));
        assertThat(world.start("r", plan, "{'n': 1}")).isEqualTo(new StartRun.Answer.Existing(RunState.RUNNING));
        assertThat(world.start("r", plan, "{'n': 2}")).isEqualTo(new StartRun.Answer.OtherBody());
        world.complete(world.poll(1).getFirst());
        assertThat(world.start("r", plan, "{'n': 1}")).isEqualTo(new StartRun.Answer.Existing(RunState.COMPLETED));
        assertThat(world.start("r", plan, "{'n': 2}")).isEqualTo(new StartRun.Answer.OtherBody());
        assertThat(world.pollIds(1)).isEmpty();
    }

    @Test
    @Tag("R0.14")
    void the_same_start_again_gives_the_first_run_although_a_new_version_has_another_priority() {
        var first = prioritised(1, 3);
        var second = prioritised(2, 7);
        world.handle(startWithPriority("usual", first, null));
        world.handle(startWithPriority("asked", first, 3));
        for (boolean ended : new boolean[] {false, true}) {
            world.restart();
            assertThat(world.handle(startWithPriority("usual", second, null)))
                    .isInstanceOf(StartRun.Answer.Existing.class);
            assertThat(world.handle(startWithPriority("asked", second, 3)))
                    .isInstanceOf(StartRun.Answer.Existing.class);
            for (Integer other : new Integer[] {0, 3, 7}) {
                assertThat(world.handle(startWithPriority("usual", second, other)))
                        .isEqualTo(new StartRun.Answer.OtherBody());
            }
            for (Integer other : new Integer[] {null, 0, 7}) {
                assertThat(world.handle(startWithPriority("asked", second, other)))
                        .isEqualTo(new StartRun.Answer.OtherBody());
            }
            if (!ended) {
                world.advance();
                world.poll(5).forEach(world::complete);
                assertThat(world.org.findEnded("usual")).contains(RunState.COMPLETED);
            }
        }
    }

    private static Plan prioritised(int version, int priority) {
        var policy = new Workflow.Policy(null, CancelPolicy.ALLOW_FINISH, priority);
        Plan plan = World.plan(RunLimits.NONE, WorkflowLimits.NONE, policy, step("a"));
        return Plan.of(plan.workflow(), version);
    }

    private static StartRun startWithPriority(String run, Plan plan, @Nullable Integer asked) {
        int priority = asked == null ? plan.workflow().policy().priority() : asked;
        var options = RunRequest.Options.DEFAULT.withPriority(asked);
        return new StartRun(
                new RunRequest(run, plan, World.json("{}"), priority, null, new TreeMap<>(), options, RunLineage.NONE));
    }

    @Test
    @Tag("R4.1")
    @Tag("R4.4")
    void a_run_is_queued_until_a_place_among_the_runs_is_free() {
        var plan = limited(2, null, null);
        for (int i = 0; i < 3; i++) {
            world.start("r" + i, plan);
        }
        assertThat(world.state("r1")).isEqualTo(RunState.RUNNING);
        assertThat(world.state("r2")).isEqualTo(RunState.QUEUED);
        var first = world.poll(5);
        assertThat(World.ids(first)).containsExactly("r0/a", "r1/a");
        world.complete(first.getFirst());
        assertThat(world.state("r2")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R4.1")
    void runs_per_minute_count_starts_in_any_minute() {
        var plan = limited(null, 2, null);
        for (int i = 0; i < 3; i++) {
            world.start("r" + i, plan);
            world.passTime(10 * SECOND);
        }
        assertThat(world.state("r2")).isEqualTo(RunState.QUEUED);
        world.passTime(30 * SECOND - 1);
        assertThat(world.state("r2")).isEqualTo(RunState.QUEUED);
        world.passTime(1);
        assertThat(world.state("r2")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R4.1")
    void a_run_key_limits_its_own_runs_only() {
        var key = new WorkflowLimits.PerKey(Template.of("${{ input.order }}"), 1, null);
        var plan = limited(null, null, key);
        world.start("r0", plan, "{'order': 'x'}");
        world.start("r1", plan, "{'order': 'x'}");
        world.start("r2", plan, "{'order': 'y'}");
        assertThat(world.state("r0")).isEqualTo(RunState.RUNNING);
        assertThat(world.state("r1")).isEqualTo(RunState.QUEUED);
        assertThat(world.state("r2")).isEqualTo(RunState.RUNNING);
        assertThat(world.start("r3", plan, "{}")).isInstanceOf(StartRun.Answer.Refused.class);
    }

    @Test
    @Tag("R4.12")
    void a_workflow_that_is_throttled_holds_up_no_other_however_much_of_it_waits() {
        var one = world.register("one", new WorkflowLimits(1, null, null, 10), step("a"));
        var rare = world.register("rare", new WorkflowLimits(null, 1, null, 10), step("a"));
        var keyed = world.register("keyed", WorkflowLimits.NONE, step("a").keys(FlowControl.parallelism("k", 1)));
        for (int i = 0; i < 100; i++) {
            for (Plan plan : List.of(one, rare, keyed)) {
                String run = plan.workflow().name() + i;
                world.handle(new StartRun(new RunRequest(run, plan, json("{}"), 10, null, new TreeMap<>())));
            }
        }
        world.advance();
        assertThat(world.pollIds(500)).containsExactlyInAnyOrder("one0/a", "rare0/a", "keyed0/a");

        for (int i = 0; i < 5; i++) {
            world.start("free" + i, plan(step("a")));
        }

        assertThat(world.pollIds(500)).containsExactly("free0/a", "free1/a", "free2/a", "free3/a", "free4/a");
        assertThat(world.state("one1")).isEqualTo(RunState.QUEUED);
        assertThat(world.state("rare1")).isEqualTo(RunState.QUEUED);
        assertThat(world.state("keyed1", "a")).isEqualTo(StepState.READY);
    }

    @Test
    @Tag("R4.1")
    void an_operators_limit_of_all_runs_holds_for_runs_of_every_workflow() {
        world.limitRuns(1);
        world.start("r0", plan(step("a")));
        world.start("r1", plan(step("a"), step("b")));
        assertThat(world.state("r1")).isEqualTo(RunState.QUEUED);
        world.limitRuns(2);
        world.advance();
        assertThat(world.state("r1")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R3.5")
    void steps_inherit_the_block_that_the_run_was_started_with_unless_they_have_their_own() {
        var plan = plan(
                step("a"),
                step("b"),
                step("own").keys(FlowControl.parallelism("k2", 5)),
                step("none").keys());
        var start = new StartRun(new RunRequest(
                "r",
                plan,
                json("{'c': 'x'}"),
                0,
                List.of(FlowControl.parallelism("c-${{ input.c }}", 1)),
                new TreeMap<>()));
        world.handle(start);
        world.advance();
        assertThat(world.pollIds(5)).containsExactly("r/a", "r/own", "r/none");
        assertThat(world.org.limits(world.now))
                .filteredOn(limit -> limit.limit().equals(new LimitId.Key("c-x")))
                .allMatch(limit -> limit.used() == 1 && limit.totalWaiting() == 1);
    }

    @Test
    @Tag("R0.13")
    void a_run_keeps_the_definition_with_which_it_was_accepted() {
        world.start("r", plan(World.maxSteps(1), step("a"), step("b")));
        world.start("other", plan(World.maxSteps(2), step("a"), step("b")));
        assertThat(world.pollIds(9)).containsExactly("r/a", "other/a", "other/b");
    }

    private static Plan limited(
            @Nullable Integer most, @Nullable Integer perMinute, WorkflowLimits.@Nullable PerKey perKey) {
        var limits = new WorkflowLimits(most, perMinute, perKey, 10);
        return plan(RunLimits.NONE, limits, Workflow.Policy.DEFAULT, step("a"));
    }
}
