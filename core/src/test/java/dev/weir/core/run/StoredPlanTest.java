package dev.weir.core.run;

import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Command;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Definitions that were read from the store. Their expressions are compiled in parts, and no part costs too much. */
@Tag("L8")
class StoredPlanTest {
    /** The most that one decision may cost: its budget, and one last step. */
    private static final long PART_MAX = DecisionBudget.UNITS_MAX + 240_000;

    private final World world = new World();

    /** Returns the plan as it is after a restart. */
    private static Plan stored(Plan plan) {
        return Plan.of(
                WorkflowReader.readStored(plan.workflow().toJson().toString()).orThrow(), 1);
    }

    private static Plan manySteps(int count) {
        return plan(IntStream.range(0, count)
                .mapToObj(i -> step("s" + i).with("{'x': '${{ input.n + " + i + " }}'}"))
                .toArray(World.StepBuilder[]::new));
    }

    /** Returns an input with that many different expressions. */
    private static String manyExpressions(int count) {
        var input = new StringBuilder("{'a': 0");
        for (int i = 0; i < count; i++) {
            input.append(", 'x")
                    .append(i)
                    .append("': '${{ input.n + ")
                    .append(i)
                    .append(" }}'");
        }
        return input.append('}').toString();
    }

    private static StartRun start(Plan plan) {
        return StartRun.of("r", plan, json("{'n': 1}"));
    }

    /** Restarts with plans that were read from the store. */
    private void restart() {
        OrganisationRows rows = world.org.rows();
        List<RunRow> runs = rows.runs().stream().map(StoredPlanTest::stored).toList();
        world.restart(new OrganisationRows(
                runs,
                rows.steps(),
                rows.claims(),
                rows.signals(),
                rows.starts(),
                rows.operators(),
                rows.profiles(),
                rows.workflows(),
                rows.endedRuns(),
                rows.nextRunNumber(),
                rows.highestFence(),
                rows.listeningSpans(),
                rows.access(),
                rows.events(),
                rows.attention()));
    }

    private static RunRow stored(RunRow row) {
        RunRequest request = row.request();
        return new RunRow(
                RunRequest.of(request.run(), stored(request.plan()), request.input()),
                row.number(),
                row.limitNeeds(),
                row.acceptedAt(),
                row.startedAt(),
                row.state(),
                row.ending(),
                row.overrides(),
                row.lastGrantAt(),
                row.startsInTick(),
                row.detail());
    }

    /** Decides a command, and asserts its cost. */
    private void handle(Command<?> command) {
        long before = world.org.unitsSpent();
        world.handle(command);
        assertThat(world.org.unitsSpent() - before).isLessThanOrEqualTo(PART_MAX);
    }

    /** Advances until nothing is due, and asserts the cost of each advance. Returns their number. */
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

    @Test
    @Tag("R0.8")
    void a_restored_organisation_compiles_a_thousand_expressions_in_parts() {
        world.handle(start(manySteps(1_000)));
        restart();

        assertThat(advances()).isGreaterThanOrEqualTo(45);
        assertThat(world.pollAll()).hasSize(1_000);
        assertThat(world.org.unitsSpent()).isGreaterThan(1_000 * 15_000L);
    }

    @Test
    void a_start_compiles_a_thousand_expressions_in_parts() {
        handle(start(stored(manySteps(1_000))));

        assertThat(advances()).isGreaterThanOrEqualTo(45);
        assertThat(world.pollAll()).hasSize(1_000);
    }

    @Test
    void a_step_with_a_thousand_expressions_is_compiled_in_parts() {
        handle(start(stored(plan(step("s").with(manyExpressions(1_000))))));

        assertThat(advances()).isGreaterThanOrEqualTo(45);
        Assignment work = world.pollAll().getFirst();
        assertThat(work.input().value().get("x999").intValue()).isEqualTo(1_000);
    }

    @Test
    void a_definition_is_compiled_once_for_all_of_its_runs() {
        Plan plan = stored(manySteps(100));
        world.handle(start(plan));
        advances();
        long before = world.org.unitsSpent();

        world.handle(StartRun.of("second", plan, json("{'n': 1}")));
        advances();

        assertThat(world.org.unitsSpent() - before).isLessThan(100 * 1_000);
    }

    @Test
    void expressions_that_only_name_data_are_not_compiled() {
        Plan plan = stored(plan(step("s").with("{'x': '${{ input.n }}', 'y': 'n-${{ input.n }}'}")));
        world.handle(start(plan));
        advances();

        assertThat(world.org.unitsSpent()).isLessThan(1_000);
        assertThat(world.pollAll().getFirst().input().value()).isEqualTo(json("{'x': 1, 'y': 'n-1'}"));
    }

    @Test
    void an_approved_step_is_opened_once_its_expressions_are_compiled() {
        world.handle(start(plan(step("s").gate().with(manyExpressions(200)))));
        advances();
        restart();
        assertThat(world.state("r", "s")).isEqualTo(StepState.WAITING);

        handle(new ApproveStep("r", "s", "ann", null));
        restart();
        assertThat(advances()).isGreaterThanOrEqualTo(8);

        assertThat(world.pollAll()).hasSize(1);
    }

    @Test
    void the_items_of_a_restored_fan_out_are_made_once_the_expressions_are_compiled() {
        Plan plan = plan(step("s").items("range(3000)", null).with(manyExpressions(200)));
        world.handle(start(plan));
        world.advance();
        restart();

        assertThat(advances()).isGreaterThanOrEqualTo(8);
        assertThat(world.pollAll()).hasSize(3_000);
    }

    @Test
    void a_compensation_starts_once_its_expressions_are_compiled() {
        Plan plan = plan(
                step("s").compensateWith(manyExpressions(200)),
                step("t", "s").onFailure(OnFailure.COMPENSATE).retry(1, Duration.ofSeconds(1)));
        handle(start(stored(plan)));
        advances();
        world.complete(world.pollAll().getFirst());
        Assignment second = world.pollAll().getFirst();

        handle(new UpdateStep(second.claim().unit(), second.claim().fence(), new Update.Failed("no", true)));

        assertThat(advances()).isGreaterThanOrEqualTo(8);
        assertThat(World.ids(world.pollAll())).containsExactly("r/s.compensate");
    }

    @Test
    void a_cancelled_run_still_runs_the_steps_with_always() {
        Plan plan = plan(
                step("s"),
                step("t", "s").when("always() && input.n == 1"),
                step("u", "s").when("failed()"));
        world.handle(start(stored(plan)));
        advances();

        handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, ""));
        advances();

        assertThat(World.ids(world.pollAll())).containsExactly("r/t");
    }

    @Test
    void a_key_of_a_run_is_charged_to_its_start() {
        String key = "${{ input.n + 1 == 2 ? 'a' : 'b' }}".repeat(8);
        var perKey = new WorkflowLimits.PerKey(Template.of(key), 1, null);
        Plan plan = stored(world.register("keyed", new WorkflowLimits(null, null, perKey, 10), step("a")));

        handle(start(plan));

        assertThat(world.org.unitsSpent()).isGreaterThan(8 * 15_000);
    }

    @Test
    void a_schema_is_compiled_when_it_is_used() {
        String schema = "{'anyOf': [" + "{'const': 0}, ".repeat(600) + "{'const': 1}]}";
        Plan plan = stored(plan(step("s").outputSchema(schema)));
        handle(start(plan));
        advances();
        Assignment work = world.pollAll().getFirst();
        long before = world.org.unitsSpent();

        world.complete(work, "1");

        assertThat(world.org.unitsSpent() - before).isBetween(30_000L, PART_MAX);
        assertThat(world.state("r")).isEqualTo(RunState.COMPLETED);
    }
}
