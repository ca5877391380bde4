package dev.weir.core.command;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.json;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.expression.Template;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.World;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2.6")
@Tag("S5")
class ProvideInputTest {
    private static final FlowControl ONE = FlowControl.parallelism("k", 1);
    private static final Update NEEDS_INPUT = new Update.NeedsInput(json("{'which': 'colour'}"));

    private final World world = new World();

    @Test
    void a_step_that_needs_input_keeps_its_place_for_days_and_goes_on_before_those_who_wait() {
        world.start("r", plan(step("a").keys(ONE)));
        var a = world.poll(1).getFirst();
        world.start("next", plan(step("a").keys(ONE)));
        assertThat(world.update(a, NEEDS_INPUT)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.state("r", "a")).isEqualTo(StepState.NEEDS_INPUT);
        world.passTime(3 * 24 * 3_600 * SECOND);
        assertThat(world.pollIds(5)).isEmpty();
        assertThat(world.org.running("r")).containsExactly(UnitId.of("r", "a"));
        assertThat(provide("'red'")).isEqualTo(ProvideInput.Answer.PROVIDED);
        var again = world.poll(5);
        assertThat(World.ids(again)).containsExactly("r/a");
        assertThat(again.getFirst().provided()).isEqualTo(json("'red'"));
        assertThat(again.getFirst().attempt()).isEqualTo(1);
        assertThat(again.getFirst().claim().fence()).isGreaterThan(a.claim().fence());
        world.complete(again.getFirst());
        assertThat(world.pollIds(5)).containsExactly("next/a");
    }

    @Test
    @Tag("S3")
    void continuing_after_input_does_not_count_as_a_start() {
        var once = new FlowControl(
                Template.of("k"), null, new RateLimit(1, Duration.ofHours(1), RateLimit.Window.SLIDING), 1, 1);
        world.start("r", plan(step("a").keys(once)));
        world.update(world.poll(1).getFirst(), NEEDS_INPUT);
        provide("1");
        assertThat(world.pollIds(1)).containsExactly("r/a");
    }

    @Test
    void a_step_with_its_input_gets_a_new_lease_that_can_expire() {
        world.start("r", plan(step("a").timeout(Duration.ofSeconds(10))));
        var a = world.poll(1).getFirst();
        world.update(a, NEEDS_INPUT);
        world.passTime(60 * SECOND);
        provide("1");
        var again = world.poll(1).getFirst();
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
        world.passTime(9 * SECOND);
        assertThat(world.heartbeat(again)).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.passTime(SECOND);
        assertThat(world.state("r", "a")).isEqualTo(StepState.BACKING_OFF);
    }

    @Test
    @Tag("S6")
    void the_worker_that_asked_may_still_report_under_its_fence() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        world.update(a, NEEDS_INPUT);
        assertThat(world.update(a, NEEDS_INPUT)).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(World.LEASE, false));
        world.passTime(10 * World.LEASE);
        assertThat(world.complete(a, "1")).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.complete(a, "1")).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(provide("1")).isEqualTo(ProvideInput.Answer.NOT_WAITING);
        assertThat(world.pollIds(1)).containsExactly("r/b");
    }

    @Test
    @Tag("S8")
    void a_report_of_the_first_worker_is_superseded_by_the_next_claim() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.update(a, NEEDS_INPUT);
        provide("1");
        var again = world.poll(1).getFirst();
        assertThat(world.complete(a, "1")).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        assertThat(world.complete(again, "2")).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    void a_step_that_releases_is_admitted_again() {
        world.start("r", plan(step("a").keys(ONE).onNeedsInput(OnNeedsInput.RELEASE)));
        var a = world.poll(1).getFirst();
        world.start("next", plan(step("a").keys(ONE)));
        world.update(a, NEEDS_INPUT);
        assertThat(world.update(a, NEEDS_INPUT)).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.UPDATE_CONFLICT);
        var next = world.poll(1);
        assertThat(World.ids(next)).containsExactly("next/a");
        provide("1");
        assertThat(world.pollIds(1)).isEmpty();
        world.complete(next.getFirst());
        var again = world.poll(1).getFirst();
        assertThat(again.provided()).isEqualTo(json("1"));
        assertThat(again.attempt()).isEqualTo(1);
    }

    @Test
    void repeated_input_is_accepted_once_other_input_is_refused_and_a_second_question_is_separate() {
        world.start("r", plan(step("a")));
        world.update(world.poll(1).getFirst(), NEEDS_INPUT);
        provide("1");
        assertThat(provide("1")).isEqualTo(ProvideInput.Answer.PROVIDED);
        assertThat(provide("2")).isEqualTo(ProvideInput.Answer.ALREADY_PROVIDED);
        var again = world.poll(1).getFirst();
        assertThat(provide("1")).isEqualTo(ProvideInput.Answer.PROVIDED);
        world.update(again, NEEDS_INPUT);
        assertThat(provide("2")).isEqualTo(ProvideInput.Answer.PROVIDED);
        assertThat(world.poll(1).getFirst().provided()).isEqualTo(json("2"));
    }

    @Test
    void a_direct_claim_of_the_step_gets_the_provided_input() {
        world.start("r", plan(step("a"), step("b")));
        world.update(world.poll(1).getFirst(), NEEDS_INPUT);
        provide("1");
        var claim = new ClaimSteps("q", "w", "r", Set.of("m"), Set.of("a"), 5, World.LEASE);
        var claimed = (ClaimSteps.Answer.Claimed) world.handle(claim);
        assertThat(World.ids(claimed.assignments())).containsExactly("r/a");
    }

    @Test
    @Tag("S7")
    void an_input_that_waits_for_a_worker_survives_a_restart() {
        world.start("r", plan(step("a").keys(ONE)));
        world.update(world.poll(1).getFirst(), NEEDS_INPUT);
        provide("1");
        world.org = Organisation.restore(world.org.rows(), world.now);
        assertThat(world.poll(1).getFirst().provided()).isEqualTo(json("1"));
    }

    @Test
    @Tag("S10")
    void a_cancel_ends_a_step_that_needs_input_at_once_and_frees_its_place() {
        for (CancelPolicy policy : List.of(CancelPolicy.ALLOW_FINISH, CancelPolicy.CANCEL_RUNNING)) {
            var fresh = new World();
            fresh.start("r", plan(step("a").keys(ONE)));
            var a = fresh.poll(1).getFirst();
            fresh.update(a, NEEDS_INPUT);
            fresh.handle(new ProvideInput(UnitId.of("r", "a"), json("1")));
            fresh.handle(new CancelRun("r", policy, "enough"));
            assertThat(fresh.state("r")).isEqualTo(RunState.CANCELLED);
            assertThat(fresh.complete(a)).isEqualTo(UpdateStep.Answer.RUN_TERMINAL);
            fresh.start("next", plan(step("a").keys(ONE)));
            assertThat(fresh.pollIds(5)).containsExactly("next/a");
        }
    }

    @Test
    void a_question_in_a_cancelled_run_ends_the_step() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        world.update(a, NEEDS_INPUT);
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    private ProvideInput.Answer provide(String input) {
        return world.handle(new ProvideInput(UnitId.of("r", "a"), json(input)));
    }
}
