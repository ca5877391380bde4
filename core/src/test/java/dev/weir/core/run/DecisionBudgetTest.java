package dev.weir.core.run;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AmendInput;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Command;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The most expensive commands that pass validation. Each is decided in parts, and no part costs too much. */
@Tag("L8")
class DecisionBudgetTest {
    /** Some 152,000 units, just under the budget of one step. */
    private static final String COSTLY = "range(19000).all(i, i >= 0)";
    /** The budget of one step, with some more for the work around it. */
    private static final long LAST_STEP = 200_000 + 40_000;

    private static final long PART_MAX = DecisionBudget.UNITS_MAX + LAST_STEP;

    private final World world = new World();

    /** Decides a command and its consequences, and asserts the cost of each part. Returns the number of parts. */
    private int parts(Command<?> command) {
        long before = world.org.unitsSpent();
        world.handle(command);
        assertThat(world.org.unitsSpent() - before).isLessThanOrEqualTo(PART_MAX);
        return 1 + advances();
    }

    /** Advances until nothing is due. The engine also advances after each command. */
    private int advances() {
        int parts = 0;
        do {
            long before = world.org.unitsSpent();
            world.advance();
            assertThat(world.org.unitsSpent() - before).isLessThanOrEqualTo(PART_MAX);
            parts++;
            assertThat(parts).isLessThan(5_000);
        } while (world.org.nextWakeup() <= world.now);
        return parts;
    }

    private static Plan steps(int count, IntFunction<World.StepBuilder> made) {
        var steps = new World.StepBuilder[count];
        for (int i = 0; i < count; i++) {
            steps[i] = made.apply(i);
        }
        return plan(steps);
    }

    private static StartRun start(Plan plan) {
        return StartRun.of("r", plan, json("{}"));
    }

    private static String with(String expression) {
        return "{'x': '${{ " + expression + " }}'}";
    }

    @Test
    void a_start_of_many_steps_with_costly_inputs_is_decided_in_parts() {
        Plan plan = steps(100, i -> step("s" + i).with(with(COSTLY)));

        assertThat(parts(start(plan))).isGreaterThanOrEqualTo(50);
        assertThat(world.pollAll()).hasSize(100);
    }

    @Test
    void a_start_of_many_steps_with_costly_conditions_is_decided_in_parts() {
        Plan plan = steps(100, i -> step("s" + i).when("!" + COSTLY));

        assertThat(parts(start(plan))).isGreaterThanOrEqualTo(50);
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void a_start_that_hands_a_large_input_to_many_steps_is_decided_in_parts() {
        Plan plan = steps(100, i -> step("s" + i).with("{'x': '${{ input }}'}"));

        assertThat(parts(StartRun.of("r", plan, json("{'a': '" + "x".repeat(250_000) + "'}"))))
                .isGreaterThan(8);
        assertThat(world.pollAll()).hasSize(100);
    }

    @Test
    void a_start_of_a_thousand_cheap_steps_is_one_part() {
        Plan plan = steps(1_000, i -> step("s" + i));

        assertThat(parts(start(plan))).isLessThan(4);
    }

    @Test
    void a_start_of_a_fan_out_with_costly_items_is_decided_in_parts() {
        assertThat(parts(start(plan(step("s").items("range(60)", null).with(with(COSTLY))))))
                .isGreaterThanOrEqualTo(30);
        assertThat(world.pollAll()).hasSize(60);
    }

    @Test
    void an_update_that_many_steps_wait_for_is_decided_in_parts() {
        Plan plan = steps(100, i -> i == 0 ? step("s0") : step("s" + i, "s0").with(with(COSTLY)));
        world.start("r", plan);
        Assignment first = world.poll(1).getFirst();

        assertThat(parts(new UpdateStep(first.claim().unit(), first.claim().fence(), new Update.NoOp())))
                .isGreaterThanOrEqualTo(49);
        assertThat(world.pollAll()).hasSize(99);
    }

    @Test
    void an_amended_input_that_many_steps_lacked_is_decided_in_parts() {
        Plan plan = steps(60, i -> step("s" + i).requires("input.a").when(COSTLY));
        parts(start(plan));
        assertThat(world.state("r", "s59")).isEqualTo(StepState.WAITING);

        assertThat(parts(new AmendInput("r", json("{'a': 1}")))).isGreaterThanOrEqualTo(30);
        assertThat(world.pollAll()).hasSize(60);
    }

    @Test
    void a_resumed_run_with_many_steps_that_failed_to_render_is_decided_in_parts() {
        Plan plan = steps(
                60,
                i -> step("s" + i)
                        .with(with(COSTLY + " && range(19000).all(i, i >= 0)"))
                        .onFailure(OnFailure.PAUSE));
        parts(start(plan));
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);

        assertThat(parts(new ResumeRun("r"))).isGreaterThanOrEqualTo(30);
        assertThat(world.state("r")).isEqualTo(RunState.PAUSED);
    }

    @Test
    void a_cancel_after_which_many_steps_run_is_decided_in_parts() {
        Plan plan = steps(100, i -> i == 0 ? step("s0") : step("s" + i, "s0").when("always() && " + COSTLY));
        world.start("r", plan);

        assertThat(parts(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, ""))).isGreaterThanOrEqualTo(49);
        assertThat(world.pollAll()).hasSize(99);
    }

    @Test
    void a_fan_out_that_invokes_runs_with_a_costly_key_is_decided_in_parts() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ " + COSTLY + " }}"), 1, null);
        world.register("child", new WorkflowLimits(null, null, perKey, 10), step("a"));
        var invoke = new Action.Invoke("child", Template.emptyObject());

        assertThat(parts(start(plan(step("s").action(invoke).items("range(40)", null)))))
                .isGreaterThanOrEqualTo(20);
    }

    @Test
    void many_starts_with_a_costly_key_leave_the_rest_for_the_next_decision() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ " + COSTLY + " }}"), 1, null);
        Plan plan = world.register("keyed", new WorkflowLimits(null, null, perKey, 10), step("a"));

        world.handle(StartRun.of("r", plan, json("{}")));
        assertThat(world.org.isBudgetSpent()).isFalse();
        world.handle(StartRun.of("s", plan, json("{}")));

        assertThat(world.org.isBudgetSpent()).isTrue();
        world.advance();
        assertThat(world.org.isBudgetSpent()).isFalse();
    }

    @Test
    @Tag("R0.8")
    void steps_that_were_not_evaluated_yet_are_evaluated_after_a_restart() {
        Plan plan = steps(40, i -> step("s" + i).with(with(COSTLY)));
        world.handle(start(plan));
        world.advance();
        assertThat(world.state("r", "s39")).isEqualTo(StepState.BLOCKED);
        assertThat(world.state("r")).isEqualTo(RunState.RUNNING);

        world.restart();
        advances();

        assertThat(world.pollAll()).hasSize(40);
    }

    @Test
    void a_start_of_a_fan_out_with_unknown_names_is_decided_in_parts() {
        var names = new StringBuilder("'a': 1");
        for (int i = 0; i < 500; i++) {
            names.append(", '").append("x".repeat(56)).append(i).append("': 1");
        }
        String absent = "y".repeat(60);
        Plan plan = plan(step("s").items("range(60)", null).with(with("input." + absent)));

        assertThat(parts(StartRun.of("r", plan, json("{" + names + "}")))).isGreaterThan(3);
        assertThat(world.state("r")).isEqualTo(RunState.FAILED);
    }

    @Test
    void a_costly_output_check_of_a_report_is_charged_to_the_budget() {
        String schema = "{'items': {'anyOf': [" + "{'const': 0}, ".repeat(900) + "{'const': 1}]}}";
        world.start("r", plan(step("s").outputSchema(schema)));
        Assignment work = world.poll(1).getFirst();
        var output = new Update.Completed(json("[" + "2, ".repeat(50) + "2]"));

        parts(new UpdateStep(work.claim().unit(), work.claim().fence(), output));

        assertThat(world.org.unitsSpent()).isGreaterThan(DecisionBudget.UNITS_MAX / 2);
        assertThat(world.state("r", "s")).isEqualTo(StepState.WAITING);
    }

    @Test
    void many_starts_of_many_steps_leave_the_rest_for_the_next_decision() {
        Plan plan = steps(1_000, i -> step("s" + i));
        int started = 0;
        for (; !world.org.isBudgetSpent(); started++) {
            world.handle(StartRun.of("r" + started, plan, json("{}")));
        }

        assertThat(started).isLessThan(1_000);
        advances();
        assertThat(world.pollAll()).hasSize(1_000 * started);
    }

    @Test
    @Tag("S3")
    void a_run_starts_when_its_place_is_counted_and_its_steps_follow() {
        Plan costly = steps(3, i -> step("s" + i).with(with(COSTLY)));
        world.handle(StartRun.of("first", costly, json("{}")));
        world.handle(StartRun.of("second", costly, json("{}")));
        world.advance();

        assertThat(world.state("second")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.findRun("second").orElseThrow().startedAt()).isEqualTo(world.now);
        assertThat(new OrganisationQueries(world.org, world.now).why(UnitId.of("second", "s0")))
                .contains(List.of(new WaitReason.Rendering()));
    }

    @Test
    void steps_claimed_by_the_engine_start_however_long_the_ones_before_them_take() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ " + COSTLY + " }}"), 40, null);
        world.register("child", new WorkflowLimits(null, null, perKey, 10), step("a"));
        var invoke = new Action.Invoke("child", Template.emptyObject());
        world.handle(start(plan(step("s")
                .action(invoke)
                .items("range(20)", null)
                .retry(1, Duration.ofSeconds(1))
                .timeout(Duration.ofSeconds(2)))));
        do {
            world.advance();
            world.now += 3 * World.SECOND;
        } while (world.org.nextWakeup() <= world.now - 3 * World.SECOND
                || !world.org.claims().isEmpty());

        assertThat(world.pollAll()).hasSize(20);
        assertThat(world.moves).filteredOn(Move.Granted.class::isInstance).hasSize(40);
    }

    @Test
    @Tag("R0.8")
    void steps_claimed_by_the_engine_start_after_a_restart() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ " + COSTLY + " }}"), 40, null);
        world.register("child", new WorkflowLimits(null, null, perKey, 10), step("a"));
        var invoke = new Action.Invoke("child", Template.emptyObject());
        world.handle(start(plan(step("s").action(invoke).items("range(20)", null))));
        world.advance();
        world.advance();
        assertThat(world.org.claims()).isNotEmpty();

        world.restart();
        advances();

        assertThat(world.pollAll()).hasSize(20);
    }
}
