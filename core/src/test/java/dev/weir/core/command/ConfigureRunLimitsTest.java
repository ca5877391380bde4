package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.ConfigureRunLimits.Answer;
import dev.weir.core.command.ConfigureRunLimits.Values;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.World;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.1")
class ConfigureRunLimitsTest {
    private static final FieldChange<Integer> KEEP = new FieldChange.Keep<>();
    private static final FieldChange<Integer> CLEAR = new FieldChange.Clear<>();

    private final World world = new World();

    private static FieldChange<Integer> to(int value) {
        return new FieldChange.Replace<>(value);
    }

    private Answer configure(FieldChange<Integer> runs, FieldChange<Integer> perMinute, long until) {
        var values = new Values(runs, perMinute, KEEP, KEEP, new ConfigureRunLimits.Note("ada", "backlog"), until);
        Answer answer = world.handle(new ConfigureRunLimits("w", values, null));
        world.advanceAll();
        return answer;
    }

    private Answer perKey(FieldChange<Integer> perKey, long until) {
        var values = new Values(KEEP, KEEP, perKey, KEEP, ConfigureRunLimits.Note.NONE, until);
        Answer answer = world.handle(new ConfigureRunLimits("w", values, null));
        world.advanceAll();
        return answer;
    }

    private Plan register(WorkflowLimits limits, World.StepBuilder... steps) {
        Plan plan = world.register("w", limits, steps);
        world.handle(new RegisterWorkflow(plan.workflow()));
        return plan;
    }

    private Plan plan() {
        return Objects.requireNonNull(world.plans.get("w"));
    }

    /** Restarts from the rows that the moves have led to, with the starts that rates count. */
    private void restart() {
        var rows = new MemoryRows();
        rows.apply(world.moves);
        world.restart(rows.rows(world.now));
        world.advanceAll();
    }

    private static WorkflowLimits limits(@Nullable Integer runs) {
        return new WorkflowLimits(runs, null, null, WorkflowLimits.DEFAULT_CASCADE_DEPTH);
    }

    private void start(Plan plan, int count) {
        for (int i = 0; i < count; i++) {
            world.start("r" + i, plan, "{\"key\": \"" + i % 2 + "\"}");
        }
        world.advanceAll();
    }

    private long running() {
        return world.org.rows().runs().stream()
                .filter(run -> run.state() == RunState.RUNNING)
                .count();
    }

    @Test
    void a_higher_value_starts_queued_runs_at_once_whatever_their_version_says() {
        Plan first = register(limits(1), step("a"));
        start(first, 5);
        assertThat(running()).isEqualTo(1);

        assertThat(configure(to(3), KEEP, Moment.NEVER)).isInstanceOfSatisfying(Answer.Configured.class, configured -> {
            assertThat(configured.config().maxConcurrentRuns().lasting()).isEqualTo(3);
            assertThat(configured.config().change().version()).isEqualTo(1);
            assertThat(configured.config().change().actor()).isEqualTo("ada");
            assertThat(configured.config().change().reason()).isEqualTo("backlog");
        });
        assertThat(running()).isEqualTo(3);

        Plan second = register(limits(2), step("a"), step("b"));
        world.start("later", second);
        world.advanceAll();
        assertThat(running()).as("of all versions together").isEqualTo(3);
    }

    @Test
    void a_lower_value_stops_nothing_that_runs_and_no_value_restores_the_definition() {
        start(register(limits(4), step("a")), 6);
        configure(to(1), KEEP, Moment.NEVER);
        assertThat(running()).isEqualTo(4);
        world.complete(world.poll(1).getFirst());
        world.advanceAll();
        assertThat(running()).isEqualTo(3);
        configure(CLEAR, KEEP, Moment.NEVER);
        assertThat(running()).isEqualTo(4);
    }

    @Test
    void a_temporary_value_ends_by_itself_also_after_a_restart() {
        start(register(limits(1), step("a")), 9);
        configure(to(2), KEEP, Moment.NEVER);
        configure(to(4), KEEP, world.now + 60 * SECOND);
        assertThat(running()).isEqualTo(4);
        restart();
        assertThat(running()).isEqualTo(4);
        world.passTime(61 * SECOND);
        world.pollAll().forEach(world::complete);
        world.advanceAll();
        assertThat(running()).as("the lasting value applies again").isEqualTo(2);
    }

    @Test
    void runs_per_minute_counts_starts_and_survives_a_restart() {
        start(register(WorkflowLimits.NONE, step("a")), 0);
        configure(KEEP, to(2), Moment.NEVER);
        start(plan(), 5);
        assertThat(running()).isEqualTo(2);
        restart();
        assertThat(running()).isEqualTo(2);
        world.passTime(60 * SECOND);
        world.advanceAll();
        assertThat(running()).isEqualTo(4);
    }

    @Test
    void the_value_for_run_keys_applies_to_every_key_of_the_workflow() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ input.key }}"), 1, null);
        var limits = new WorkflowLimits(null, null, perKey, WorkflowLimits.DEFAULT_CASCADE_DEPTH);
        start(register(limits, step("a")), 8);
        assertThat(running()).as("one of each key").isEqualTo(2);

        perKey(to(2), world.now + 60 * SECOND);
        assertThat(running()).isEqualTo(4);
        restart();
        assertThat(running()).isEqualTo(4);

        perKey(to(3), Moment.NEVER);
        assertThat(running()).isEqualTo(6);
        perKey(to(4), world.now + 60 * SECOND);
        assertThat(running()).isEqualTo(8);
        world.passTime(61 * SECOND);
        world.pollAll().forEach(world::complete);
        start(plan(), 0);
        for (int i = 0; i < 10; i++) {
            world.start("later" + i, plan(), "{\"key\": \"same\"}");
        }
        world.advanceAll();
        assertThat(running()).as("the lasting value, for a new key").isEqualTo(3);
        perKey(CLEAR, Moment.NEVER);
        world.pollAll().forEach(world::complete);
        world.advanceAll();
        assertThat(running()).as("as defined").isEqualTo(1);
    }

    @Test
    void an_expired_value_for_run_keys_starts_the_runs_that_it_held() {
        var perKey = new WorkflowLimits.PerKey(Template.of("${{ input.key }}"), 3, null);
        var limits = new WorkflowLimits(null, null, perKey, WorkflowLimits.DEFAULT_CASCADE_DEPTH);
        register(limits, step("a"));
        perKey(to(1), world.now + 60 * SECOND);
        start(plan(), 8);
        assertThat(running()).isEqualTo(2);
        assertThat(world.org.nextWakeup()).isLessThanOrEqualTo(world.now + 60 * SECOND);
        world.passTime(60 * SECOND);
        world.advanceAll();
        assertThat(running()).isEqualTo(6);
    }

    @Test
    void the_value_for_cascades_replaces_that_of_the_definition() {
        Plan plan = register(WorkflowLimits.NONE, step("a"));
        var values = new Values(KEEP, KEEP, KEEP, to(2), ConfigureRunLimits.Note.NONE, Moment.NEVER);
        world.handle(new ConfigureRunLimits("w", values, null));
        assertThat(world.handle(new StartRun(atDepth(plan, "deep", 3))))
                .isEqualTo(new StartRun.Answer.CascadeDetected(3, 2));
        assertThat(world.handle(new StartRun(atDepth(plan, "shallow", 2))))
                .isInstanceOf(StartRun.Answer.Accepted.class);
    }

    private static RunRequest atDepth(Plan plan, String run, int depth) {
        return new RunRequest(
                run,
                plan,
                World.json("{}"),
                0,
                null,
                new TreeMap<>(),
                RunRequest.Options.DEFAULT,
                new RunLineage(null, null, "root", depth));
    }

    @Test
    void another_version_than_expected_changes_nothing() {
        register(limits(1), step("a"));
        configure(to(3), KEEP, Moment.NEVER);
        int moves = world.moves.size();
        var values = new Values(to(9), KEEP, KEEP, KEEP, ConfigureRunLimits.Note.NONE, Moment.NEVER);
        assertThat(world.handle(new ConfigureRunLimits("w", values, 0L))).isEqualTo(new Answer.OtherVersion(1));
        assertThat(world.moves).hasSize(moves);
        assertThat(world.handle(new ConfigureRunLimits("w", values, 1L))).isInstanceOf(Answer.Configured.class);
    }

    @Test
    void the_same_change_again_makes_no_new_version_and_an_unknown_workflow_is_not_found() {
        register(limits(1), step("a"));
        configure(to(3), KEEP, Moment.NEVER);
        configure(to(3), KEEP, Moment.NEVER);
        assertThat(world.moves)
                .filteredOn(Move.RunLimitsConfigured.class::isInstance)
                .hasSize(1);
        var values = new Values(to(9), KEEP, KEEP, KEEP, ConfigureRunLimits.Note.NONE, Moment.NEVER);
        assertThat(world.handle(new ConfigureRunLimits("unknown", values, null)))
                .isEqualTo(new Answer.NotFound());
    }

    @Test
    void versions_go_on_after_all_values_were_cleared_and_the_node_was_restarted() {
        register(limits(1), step("a"));
        configure(to(3), KEEP, Moment.NEVER);
        configure(CLEAR, KEEP, Moment.NEVER);
        restart();
        configure(to(3), KEEP, Moment.NEVER);
        var config = world.org.rows().operators().runLimits().get(new LimitId.WorkflowRuns("w"));
        assertThat(Objects.requireNonNull(config).change().version()).isEqualTo(3);
        assertThat(config.runsPerMinute()).isEqualTo(OperatorSetting.none());
    }

    @Test
    void limits_on_runs_of_a_workflow_cannot_be_pinned_beside_their_configuration() {
        assertThatThrownBy(() -> PinKey.of(new LimitId.WorkflowRuns("w"), 1, null, Moment.NEVER))
                .hasMessageContaining("ConfigureRunLimits");
    }
}
