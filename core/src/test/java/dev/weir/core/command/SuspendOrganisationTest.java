package dev.weir.core.command;

import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SuspendOrganisationTest {
    private final World world = new World();

    private void suspend() {
        world.handle(new SuspendOrganisation("acme", "unpaid"));
        world.advanceAll();
    }

    private void resume() {
        assertThat(world.handle(new ResumeOrganisation("acme"))).isTrue();
        world.advanceAll();
    }

    @Test
    void nothing_starts_what_runs_finishes_and_everything_goes_on_after_a_resume() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        suspend();
        assertThat(world.start("late", plan(step("a")))).isInstanceOf(StartRun.Answer.Closed.class);
        assertThat(world.heartbeat(a)).isInstanceOf(Heartbeat.Answer.Extended.class);
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
        assertThat(world.pollIds(5)).isEmpty();
        var direct =
                new ClaimSteps("direct", "w", "r", List.of(new ClaimWork.ServedModule("m")), Set.of(), 5, World.LEASE);
        assertThat(world.handle(direct))
                .isInstanceOfSatisfying(
                        ClaimSteps.Answer.Claimed.class,
                        claimed -> assertThat(claimed.assignments()).isEmpty());
        assertThat(new OrganisationQueries(world.org, world.now).why("r").orElseThrow())
                .isEmpty();
        assertThat(world.org.nextWakeup()).as("it does not spin").isGreaterThan(world.now);
        resume();
        assertThat(world.pollIds(5)).containsExactly("r/b");
    }

    @Test
    void a_queued_run_waits_says_why_and_survives_a_restart() {
        world.start("r", plan(step("a")));
        world.complete(world.poll(1).getFirst());
        world.handle(new SuspendOrganisation("acme", null));
        world.handle(new SuspendOrganisation("acme", "again"));
        assertThat(world.moves)
                .filteredOn(Move.SuspensionChanged.class::isInstance)
                .hasSize(1);
        assertThat(world.moves)
                .filteredOn(Move.AdministrationAudited.class::isInstance)
                .hasSize(1);
        world.restart();
        assertThat(world.org.isSuspended()).isTrue();
        assertThat(world.start("s", plan(step("a")))).isInstanceOf(StartRun.Answer.Closed.class);
        resume();
        world.restart();
        assertThat(world.org.isSuspended()).isFalse();
        world.start("s", plan(step("a")));
        assertThat(world.state("s")).isEqualTo(RunState.RUNNING);
    }

    @Test
    void time_goes_on_and_what_it_wakes_waits() {
        world.start("r", plan(step("a"), step("b")));
        var both = world.poll(2);
        suspend();
        world.fail(both.getFirst(), "later");
        world.passTime(60 * World.SECOND);
        assertThat(world.state("r", "a")).as("its back-off is over").isEqualTo(StepState.READY);
        assertThat(world.state("r", "b")).as("its lease expired").isEqualTo(StepState.READY);
        assertThat(world.pollIds(5)).isEmpty();
        var queries = new OrganisationQueries(world.org, world.now);
        assertThat(queries.why(UnitId.of("r", "a")).orElseThrow()).contains(new WaitReason.Suspended());
        resume();
        assertThat(world.pollIds(5)).containsExactlyInAnyOrder("r/a", "r/b");
    }

    @Test
    void temporary_values_of_limits_end_while_nothing_starts() {
        var limit = new LimitId.Key("k");
        world.handle(PinKey.of(limit, 1, null, world.now + World.SECOND));
        suspend();
        world.passTime(2 * World.SECOND);
        assertThat(world.org.limits(world.now)).extracting(LimitSnapshot::pin).containsOnlyNulls();
        assertThat(world.org.nextWakeup()).as("it does not spin").isGreaterThan(world.now);
    }
}
