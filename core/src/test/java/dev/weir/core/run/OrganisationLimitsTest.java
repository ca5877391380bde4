package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.ConfigureRunLimits.Values;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.StartEvaluation;
import dev.weir.core.explain.StartQuestion;
import dev.weir.core.expression.Template;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.plan.RunNeeds;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.WorkflowAvailability;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the limits of an organisation and of single run keys, deferral, ceilings on waiting runs, and evaluation. */
@Tag("R4.1")
class OrganisationLimitsTest {
    private static final LimitId.OrgRuns ORG = new LimitId.OrgRuns();

    private final World world = new World();

    private Plan register(String name, WorkflowLimits limits) {
        Plan plan = world.register(name, limits, step("a"));
        world.handle(new RegisterWorkflow(plan.workflow()));
        return plan;
    }

    private Plan keyed(String name) {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ input.key }}"), 5, null);
        return register(name, new WorkflowLimits(null, null, perKey, WorkflowLimits.DEFAULT_CASCADE_DEPTH));
    }

    private static FieldChange<Integer> to(int value) {
        return new FieldChange.Replace<>(value);
    }

    private static <T> FieldChange<T> keep() {
        return new FieldChange.Keep<>();
    }

    private ConfigureRunLimits.Answer perMinute(LimitId.Runs limit, int value) {
        var values = new Values(keep(), to(value), keep(), keep(), ConfigureRunLimits.Note.NONE, Moment.NEVER);
        return world.handle(new ConfigureRunLimits(limit, values, null));
    }

    private ConfigureRunLimits.Answer depth(LimitId.Runs limit, int value) {
        var values = new Values(keep(), keep(), keep(), to(value), ConfigureRunLimits.Note.NONE, Moment.NEVER);
        return world.handle(new ConfigureRunLimits(limit, values, null));
    }

    private void start(Plan plan, int count) {
        for (int i = 0; i < count; i++) {
            world.start(plan.workflow().name() + i, plan, "{'key': 'k" + i % 2 + "'}");
        }
        world.advanceAll();
    }

    private long count(RunState state) {
        return world.org.rows().runs().stream()
                .filter(run -> run.state() == state)
                .count();
    }

    private ExecutionCounts counts() {
        ExecutionCounts counts = ExecutionCounts.NONE;
        for (Move move : world.moves) {
            counts = counts.plus(move);
        }
        return counts;
    }

    private StartEvaluation evaluate(Plan plan, @Nullable String key, int depth) {
        var needs = RunNeeds.ofKey(plan, key, 0);
        var question = new StartQuestion(plan.workflow(), needs, depth);
        return new OrganisationQueries(world.org, world.now).evaluate(question, "id");
    }

    @Test
    void the_limits_of_the_organisation_the_workflow_and_the_run_key_all_apply() {
        Plan plan = keyed("w");
        world.configure(ORG, to(4), keep());
        world.configure(new LimitId.WorkflowRuns("w"), to(3), keep());
        world.configure(new LimitId.RunKey("w", "k0"), to(1), keep());
        start(plan, 8);
        assertThat(world.org.rows().runs())
                .filteredOn(run -> run.state() == RunState.RUNNING)
                .extracting(RunRow::id)
                .as("one of k0, and two of k1")
                .containsExactly("w0", "w1", "w3");

        world.configure(new LimitId.RunKey("w", "k0"), to(2), keep());
        world.advanceAll();
        assertThat(count(RunState.RUNNING))
                .as("the workflow's limit still holds")
                .isEqualTo(3);
        world.configure(new LimitId.WorkflowRuns("w"), to(9), keep());
        world.advanceAll();
        assertThat(count(RunState.RUNNING)).as("then that of the organisation").isEqualTo(4);
    }

    @Test
    void a_run_key_and_an_organisation_refuse_values_that_mean_nothing_to_them() {
        keyed("w");
        assertThat(depth(new LimitId.RunKey("w", "k"), 3))
                .isEqualTo(new ConfigureRunLimits.Answer.NoSuchValue("max_cascade_depth"));
        var perKey = new Values(keep(), keep(), to(1), keep(), ConfigureRunLimits.Note.NONE, Moment.NEVER);
        assertThat(world.handle(new ConfigureRunLimits(ORG, perKey, null)))
                .isEqualTo(new ConfigureRunLimits.Answer.NoSuchValue("max_concurrent_runs_per_key"));
        assertThat(world.configure(new LimitId.RunKey("unknown", "k"), to(1), keep()))
                .isEqualTo(new ConfigureRunLimits.Answer.NotFound());
    }

    @Test
    void configured_values_survive_a_restart() {
        Plan plan = keyed("w");
        world.configure(ORG, to(2), to(7));
        world.configure(new LimitId.RunKey("w", "k0"), to(1), keep());
        start(plan, 4);
        var rows = new MemoryRows();
        rows.apply(world.moves);
        assertThat(rows.rows(world.now).operators().runLimits())
                .isEqualTo(world.org.rows().operators().runLimits());
        world.restart(rows.rows(world.now));
        world.advanceAll();
        assertThat(count(RunState.RUNNING)).isEqualTo(2);
        assertThat(count(RunState.QUEUED)).isEqualTo(2);
    }

    @Test
    @Tag("R4.3")
    void a_held_run_gets_the_time_of_its_next_check_once_and_later_checks_write_nothing() {
        Plan plan = register("w", WorkflowLimits.NONE);
        world.configure(ORG, to(1), keep());
        start(plan, 3);
        List<Move.RunHeld> held = held();
        assertThat(held).extracting(Move.RunHeld::run).containsExactly("w1", "w2");
        assertThat(held).allSatisfy(move -> {
            assertThat(move.limit()).isEqualTo(ORG);
            assertThat(move.until()).isBetween(world.now + SECOND, world.now + 2 * SECOND);
        });
        assertThat(held.get(0).until())
                .as("with jitter")
                .isNotEqualTo(held.get(1).until());
        RunRow row = world.org.findRun("w1").orElseThrow();
        assertThat(row.detail().holdUntil()).isEqualTo(held.getFirst().until());

        int moves = world.moves.size();
        world.passTime(60 * SECOND);
        world.restart();
        world.passTime(60 * SECOND);
        assertThat(world.moves).as("two minutes of waiting and a restart").hasSize(moves);

        world.configure(ORG, to(2), keep());
        world.advanceAll();
        assertThat(world.state("w1")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.findRun("w1").orElseThrow().detail().isHeld()).isFalse();
        assertThat(held()).hasSize(2);
    }

    private List<Move.RunHeld> held() {
        return world.moves.stream()
                .filter(Move.RunHeld.class::isInstance)
                .map(Move.RunHeld.class::cast)
                .toList();
    }

    @Test
    @Tag("R4.3")
    void a_run_that_a_rate_holds_is_checked_again_when_its_window_has_room() {
        Plan plan = register("w", WorkflowLimits.NONE);
        perMinute(ORG, 2);
        start(plan, 3);
        assertThat(held())
                .singleElement()
                .satisfies(
                        move -> assertThat(move.until()).isBetween(world.now + 60 * SECOND, world.now + 61 * SECOND));
        world.passTime(60 * SECOND);
        assertThat(world.state("w2")).isEqualTo(RunState.RUNNING);
    }

    @Test
    @Tag("R4.12")
    void a_throttled_workflow_never_blocks_another_one() {
        Plan slow = register("slow", WorkflowLimits.NONE);
        Plan free = register("free", WorkflowLimits.NONE);
        world.configure(ORG, to(10), keep());
        world.configure(new LimitId.WorkflowRuns("slow"), to(1), keep());
        start(slow, 50);
        start(free, 5);
        assertThat(world.org.rows().runs())
                .filteredOn(run -> run.state() == RunState.RUNNING)
                .extracting(RunRow::id)
                .containsExactly("slow0", "free0", "free1", "free2", "free3", "free4");
    }

    @Test
    @Tag("R4.4")
    void a_run_is_counted_once_however_it_ends_and_after_a_restart() {
        Plan plan = register("w", WorkflowLimits.NONE);
        world.configure(ORG, to(1), keep());
        start(plan, 3);
        assertThat(counts()).isEqualTo(new ExecutionCounts(1, 2, 0, 0));
        world.complete(world.poll(1).getFirst());
        world.advanceAll();
        world.restart();
        world.advanceAll();
        assertThat(counts()).isEqualTo(new ExecutionCounts(2, 2, 0, 0));
        world.fail(world.poll(1).getFirst(), "no");
        world.passTime(600 * SECOND);
        assertThat(counts().deferred()).isEqualTo(2);
    }

    @Test
    void a_ceiling_refuses_only_runs_that_would_wait() {
        Plan slow = register("slow", WorkflowLimits.NONE);
        Plan free = register("free", WorkflowLimits.NONE);
        world.configure(ORG, keep(), to(3));
        world.configure(new LimitId.WorkflowRuns("slow"), to(2), keep());
        for (int i = 0; i < 5; i++) {
            assertThat(world.handle(StartRun.of("slow" + i, slow, json("{}"))))
                    .as("two start and three wait, in one decision")
                    .isInstanceOf(StartRun.Answer.Accepted.class);
        }
        assertThat(world.handle(StartRun.of("slow5", slow, json("{}"))))
                .isInstanceOfSatisfying(StartRun.Answer.QueueFull.class, full -> {
                    assertThat(full.queue().limit()).isEqualTo(ORG);
                    assertThat(full.queue().waiting()).isEqualTo(3);
                    assertThat(full.queue().retryAfter()).isGreaterThanOrEqualTo(SECOND);
                    assertThat(full.queue().message()).contains("max_queued_runs of the organisation");
                });
        assertThat(world.handle(StartRun.of("free0", free, json("{}")))).isInstanceOf(StartRun.Answer.Accepted.class);
        world.advanceAll();
        assertThat(world.state("free0")).isEqualTo(RunState.RUNNING);
        assertThat(world.org.findRun("slow5")).isEmpty();
    }

    @Test
    @Tag("R4.2")
    void an_evaluation_answers_as_a_start_would_and_changes_nothing() {
        Plan plan = keyed("w");
        assertThat(evaluate(plan, "k0", 0)).isEqualTo(new StartEvaluation.Allowed());
        world.configure(ORG, to(2), to(2));
        world.configure(new LimitId.RunKey("w", "k0"), to(1), keep());
        start(plan, 1);
        var before = world.org.rows();
        assertThat(evaluate(plan, "k1", 0)).isEqualTo(new StartEvaluation.Allowed());
        assertThat(evaluate(plan, "k0", 0)).isInstanceOfSatisfying(StartEvaluation.Deferred.class, deferred -> {
            assertThat(deferred.reasons()).hasSize(1);
            assertThat(deferred.reasons().toString()).contains("RunKey[workflow=w, key=k0]");
            assertThat(deferred.micros()).isBetween(SECOND, 2 * SECOND);
        });
        assertThat(evaluate(plan, "k1", 11)).isEqualTo(new StartEvaluation.CascadeDetected(11, 10));
        assertThat(world.org.rows()).isEqualTo(before);

        start(plan, 5);
        assertThat(count(RunState.QUEUED)).isEqualTo(2);
        assertThat(evaluate(plan, "k1", 0)).isInstanceOf(StartEvaluation.Refused.class);
        assertThat(RunNeeds.of(plan, "r", json("{'key': 'k1'}"), 0, new UnitCounter()))
                .isEqualTo(RunNeeds.ofKey(plan, "k1", 0));
    }

    @Test
    @Tag("R4.2")
    void an_evaluation_refuses_what_a_start_would_be_refused_for() {
        Plan plan = keyed("w");
        world.handle(new SetWorkflowAvailability("w", WorkflowAvailability.ARCHIVED));
        assertThat(evaluate(plan, "k0", 0))
                .isEqualTo(new StartEvaluation.Closed("workflow w is archived; open it before you start runs of it"));
        world.handle(new SetWorkflowAvailability("w", WorkflowAvailability.OPEN));
        assertThat(evaluate(plan, "k0", 0)).isEqualTo(new StartEvaluation.Allowed());
        world.handle(new SuspendOrganisation("acme", "unpaid"));
        assertThat(evaluate(plan, "k0", 0)).isInstanceOf(StartEvaluation.Closed.class);
    }

    @Test
    @Tag("R4.6")
    void the_smallest_cascade_depth_that_is_set_applies() {
        Plan plan = register("w", WorkflowLimits.NONE);
        depth(ORG, 20);
        assertThat(startAtDepth(plan, "a", 20)).isInstanceOf(StartRun.Answer.Accepted.class);
        depth(new LimitId.WorkflowRuns("w"), 3);
        assertThat(startAtDepth(plan, "b", 4)).isEqualTo(new StartRun.Answer.CascadeDetected(4, 3));
        depth(ORG, 2);
        assertThat(startAtDepth(plan, "c", 3)).isEqualTo(new StartRun.Answer.CascadeDetected(3, 2));
    }

    private StartRun.Answer startAtDepth(Plan plan, String run, int depth) {
        var lineage = new RunLineage(null, null, "root", depth);
        return world.handle(new StartRun(
                new RunRequest(run, plan, json("{}"), 0, null, new TreeMap<>(), RunRequest.Options.DEFAULT, lineage)));
    }
}
