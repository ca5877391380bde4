package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.engine.shard.CounterName;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the sweep derives the usage of shared limits from the live claims, corrects it, and reports the
 * correction.
 */
@Tag("R0.6")
class UsageSweepTest {
    private final SteppedShard world = new SteppedShard();

    @BeforeEach
    void register() {
        world.send(new RegisterWorkflow(Workflow.named("greet")
                .step("say")
                .uses("hello")
                .flowControl(FlowControl.parallelism("k", 1))
                .build()));
    }

    @Test
    void a_place_that_nobody_holds_is_given_away_after_the_next_sweep() throws ReflectiveOperationException {
        world.start("a");
        Assignment held = world.claim("q1");
        world.start("b");
        var waiting = world.poll("q2");
        corruptUsed(7);
        world.send(SteppedShard.noOpReport(held));
        assertThat(waiting).as("the limit seems to be full").isNotDone();
        world.advance(3 * SECOND);
        assertThat(answered(waiting)).hasSize(1);
        assertThat(world.count(CounterName.USAGE_CORRECTIONS)).isEqualTo(1);
        assertThat(world.counters.values().lastDifference())
                .isEqualTo("organisation acme: key:k: expected 0 in use (0 wait for a person), found 6 (0)");
        assertThat(world.count(CounterName.DIFFERENCES))
                .as("the rows were right")
                .isZero();
    }

    @Test
    void a_place_that_somebody_holds_is_not_given_away_after_the_next_sweep() throws ReflectiveOperationException {
        world.start("a");
        world.claim("q1");
        corruptUsed(0);
        world.advance(3 * SECOND);
        world.start("b");
        var waiting = world.poll("q2");
        world.runUntilIdle();
        assertThat(waiting).isNotDone();
        assertThat(world.count(CounterName.USAGE_CORRECTIONS)).isEqualTo(1);
    }

    @Test
    void the_usage_of_a_healthy_organisation_needs_no_correction() {
        world.start("a");
        world.start("b");
        Assignment first = world.claim("q1");
        world.advance(5 * SECOND);
        world.send(SteppedShard.noOpReport(first));
        world.claim("q2");
        world.advance(5 * SECOND);
        assertThat(world.count(CounterName.USAGE_CORRECTIONS)).isZero();
    }

    /** Sets the usage of the key to a wrong value, as a bug would. No command can do that. */
    private void corruptUsed(int used) throws ReflectiveOperationException {
        Object organisation = world.shard.find(ACME).orElseThrow();
        Object registry = field(field(field(field(organisation, "live"), "admission"), "queues"), "registry");
        var find = registry.getClass().getDeclaredMethod("findLimit", LimitId.Shared.class);
        find.setAccessible(true);
        Object limit = Objects.requireNonNull(find.invoke(registry, new LimitId.Key("k")));
        var field = limit.getClass().getDeclaredField("used");
        field.setAccessible(true);
        field.setInt(limit, used);
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return Objects.requireNonNull(field.get(of));
    }
}
