package dev.weir.core.explain;

import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.admission.KeySlice;
import dev.weir.core.admission.KeySummary;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.run.TicketOwner;
import dev.weir.core.run.World;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.2")
class OrganisationQueriesTest {
    private final World world = new World();

    @Test
    @Tag("RX.6")
    void a_step_under_two_full_keys_without_a_worker_names_all_three() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("x", 1), FlowControl.parallelism("y", 1)));
        world.start("first", plan);
        world.poll(1);
        world.start("second", plan);
        world.passTime(25 * World.SECOND);
        world.handle(new Heartbeat(UnitId.of("first", "a"), 1));

        var reasons = queries().why(UnitId.of("second", "a")).orElseThrow();

        assertThat(reasons.stream()
                        .map(reason -> ((WaitReason.Blocked) reason).blocker().limit()))
                .containsExactly(new LimitId.Key("x"), new LimitId.Key("y"), null);
        assertThat(blocker(reasons, 2).cause()).isEqualTo(HoldCause.NO_WORKER);
        assertThat(((WaitReason.Blocked) reasons.get(0)).holders())
                .extracting(TicketOwner::run, TicketOwner::step)
                .containsExactly(tuple("first", "a"));
    }

    @Test
    void why_names_the_limit_that_holds_the_remaining_items_of_a_large_fan_out() {
        var few = new RunLimits(1_500, null, null, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", World.plan(few, step("s").items("range(2000)", null)));
        for (boolean made = false; !made; made = world.org.nextWakeup() > world.now) {
            world.advance();
        }
        assertThat(world.pollAll()).hasSize(1_500);

        var reasons = queries().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(blocker(reasons, 0).limit()).isEqualTo(LimitId.Local.RUN_STEPS);
        var snapshot = queries().snapshot("r").orElseThrow().steps().get("s");
        assertThat(Objects.requireNonNull(snapshot).why()).isInstanceOf(WaitReason.Held.class);
    }

    @Test
    void the_holders_of_a_fan_outs_concurrency_are_its_own_items() {
        world.start("r", World.plan(step("a"), step("s").items("[1, 2, 3]", 1)));
        assertThat(world.pollIds(2)).containsExactly("r/a", "r/s/0");

        var reasons = queries().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(blocker(reasons, 0).limit()).isEqualTo(LimitId.Local.FAN_OUT);
        assertThat(((WaitReason.Blocked) reasons.getFirst()).holders())
                .extracting(TicketOwner::step, TicketOwner::item)
                .containsExactly(tuple("s", 0));
    }

    @Test
    void a_step_whose_items_are_being_made_waits_for_them() {
        world.start("r", World.plan(step("s").items("range(5000)", null)));

        var reasons = queries().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(reasons)
                .singleElement()
                .isInstanceOfSatisfying(
                        WaitReason.MakingItems.class,
                        making -> assertThat(making.total()).isEqualTo(5_000));
    }

    @Test
    void a_limit_without_recent_releases_has_no_estimate() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("k", 1)));
        for (int i = 0; i < 30; i++) {
            world.start("r" + i, plan);
        }
        for (int i = 0; i < 25; i++) {
            var work = world.poll(1).getFirst();
            world.now += World.SECOND;
            world.complete(work);
        }
        world.poll(1);
        var next = UnitId.of("r26", "a");
        var soon = blocker(queries().why(next).orElseThrow(), 0).expected();
        assertThat(Objects.requireNonNull(soon).at()).isBetween(world.now, world.now + 2 * World.SECOND);

        world.now += 10 * World.SECOND;
        assertThat(blocker(queries().why(next).orElseThrow(), 0).expected()).isNull();
    }

    @Test
    void a_position_in_a_waitlist_is_counted_up_to_a_maximum() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("k", 1)));
        int waiting = Explanation.POSITION_MAX + 500;
        for (int i = 0; i <= waiting; i++) {
            world.start("r" + i, plan);
        }
        world.poll(1);

        var last = queries().why(UnitId.of("r" + waiting, "a")).orElseThrow();

        assertThat(blocker(last, 0).position()).isEqualTo(Explanation.POSITION_MAX + 1);
        assertThat(queries().findKey("k").orElseThrow().waiting()).isEqualTo(waiting);
        assertThat(queries().waitlist("k", 3))
                .extracting(each -> each.owner().run())
                .containsExactly("r1", "r2", "r3");
        assertThat(queries().holders("k", 9)).extracting(TicketOwner::run).containsExactly("r0");
    }

    @Test
    @Tag("R2.10")
    void every_step_of_a_run_says_what_it_waits_for() {
        world.start("r", World.plan(step("a"), step("b", "a")));

        assertThat(why("a")).isEqualTo(new WaitReason.Held(null, HoldCause.NO_WORKER));
        assertThat(why("b")).isEqualTo(new WaitReason.Dependency(List.of("a")));

        world.poll(1);
        assertThat(why("a")).isInstanceOf(WaitReason.AlreadyRunning.class);
        assertThat(queries().snapshot("r").orElseThrow().running()).containsExactly(UnitId.of("r", "a"));
    }

    @Test
    @Tag("R2.10")
    void a_step_of_a_run_that_was_put_off_waits_until_then() {
        var start = StartRun.of("r", World.plan(step("a"), step("b", "a")), World.json("{}"));
        var later = new RunRequest.Options(5 * World.SECOND, List.of());
        world.handle(new StartRun(new RunRequest(
                "r",
                start.request().plan(),
                start.request().input(),
                0,
                null,
                start.request().labels(),
                later,
                RunLineage.NONE)));
        world.advance();
        var delayed = new WaitReason.Delayed(world.now + 5 * World.SECOND);

        assertThat(queries().why(UnitId.of("r", "a")).orElseThrow()).containsExactly(delayed);
        assertThat(queries().why(UnitId.of("r", "b")).orElseThrow()).contains(delayed);
        assertThat(why("a")).isEqualTo(delayed);
        world.handle(new PauseRun("r"));
        assertThat(queries().why(UnitId.of("r", "a")).orElseThrow()).containsExactly(new WaitReason.Paused(), delayed);
    }

    @Test
    void a_step_that_a_queued_retry_need_not_repeat_waits_for_nothing() {
        world.start("old", World.plan(step("a"), step("b", "a")));
        world.complete(world.poll(1).getFirst());
        world.update(world.poll(1).getFirst(), new Update.Failed("no", true));
        var steps = world.moves.stream()
                .filter(Move.StepMoved.class::isInstance)
                .map(move -> ((Move.StepMoved) move).row())
                .filter(row -> row.state().ended())
                .toList();
        var old = world.moves.stream()
                .filter(move -> move instanceof Move.RunMoved moved
                        && moved.row().state().ended())
                .map(move -> ((Move.RunMoved) move).row())
                .findFirst()
                .orElseThrow();
        world.limitRuns(1);
        world.start("other", World.plan(step("a")));

        world.handle(new RetryRun("r", old, steps));
        world.advance();

        assertThat(world.state("r", "a")).isEqualTo(StepState.COMPLETED);
        assertThat(why("a")).isNull();
        assertThat(queries().why(UnitId.of("r", "a")).orElseThrow()).isEmpty();
        assertThat(why("b")).isInstanceOf(WaitReason.Held.class);
    }

    @Test
    void keys_come_in_slices_and_each_of_them_once() {
        for (String key : List.of("b", "a", "c", "other")) {
            world.start("run-" + key, World.plan(step("a").keys(FlowControl.parallelism(key, 1))));
        }
        List<String> keys = new ArrayList<>();
        long end = KeySlice.START;
        for (int slices = 0; end != KeySlice.END; slices++) {
            assertThat(slices).as("slices").isLessThan(9);
            KeySlice slice = queries().keySlice(end, 2);
            assertThat(slice.keys()).hasSizeLessThanOrEqualTo(2);
            slice.keys().forEach(key -> keys.add(key.key()));
            end = slice.end();
        }
        assertThat(keys).containsExactly("b", "a", "c", "other");
    }

    @Test
    void a_summary_says_how_full_a_key_is_and_since_when_the_next_step_waits_for_it() {
        world.start("first", World.plan(step("a").keys(FlowControl.parallelism("k", 4))));
        world.poll(1);
        assertThat(summary("k").fullness()).isEqualTo(0.25);
        assertThat(summary("k").oldestSince()).isEqualTo(Moment.NEVER);
        world.handle(PinKey.of(new LimitId.Key("k"), 1, null, Moment.NEVER));
        long since = world.now;
        world.start("second", World.plan(step("a").keys(FlowControl.parallelism("k", 4))));
        world.advance();
        assertThat(summary("k").fullness()).isEqualTo(1);
        assertThat(summary("k").waiting()).isEqualTo(1);
        assertThat(summary("k").oldestSince()).isEqualTo(since);
    }

    private KeySummary summary(String key) {
        return queries().keySlice(KeySlice.START, 1_000).keys().stream()
                .filter(summary -> summary.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("R3.6")
    void a_step_that_waits_for_a_worker_is_on_no_waitlist() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("k", 5)));
        for (int i = 0; i < 8; i++) {
            world.start("r" + i, plan);
        }
        world.advance();

        assertThat(queries().findKey("k").orElseThrow().waiting()).isZero();
        assertThat(queries().waitlist("k", 9)).isEmpty();
        assertThat(summary("k").waiting()).isZero();
        assertThat(queries().why(UnitId.of("r7", "a")).orElseThrow())
                .extracting(reason -> ((WaitReason.Blocked) reason).blocker().cause())
                .containsExactly(HoldCause.NO_WORKER);

        assertThat(world.poll(8)).hasSize(5);

        assertThat(queries().findKey("k").orElseThrow().waiting()).isEqualTo(3);
        assertThat(queries().waitlist("k", 9))
                .extracting(each -> each.owner().run())
                .containsExactly("r5", "r6", "r7");
    }

    @Test
    @Tag("R3.6")
    void a_step_is_on_the_waitlist_of_every_key_that_refuses_it_and_of_no_other() {
        var all = List.of(
                FlowControl.parallelism("x", 1), FlowControl.parallelism("y", 1), FlowControl.parallelism("free", 9));
        world.start("first", World.plan(step("a").keys(all.toArray(FlowControl[]::new))));
        world.poll(1);
        world.start("second", World.plan(step("a").keys(all.toArray(FlowControl[]::new))));
        world.start("held", World.plan(step("a").keys(FlowControl.parallelism("free", 9))));
        world.advance();

        assertThat(queries().waitlist("x", 9))
                .extracting(each -> each.owner().run())
                .containsExactly("second");
        assertThat(queries().waitlist("y", 9))
                .extracting(each -> each.owner().run())
                .containsExactly("second");
        assertThat(queries().waitlist("free", 9)).isEmpty();
        assertThat(summary("x").waiting()).isEqualTo(1);
        assertThat(summary("y").waiting()).isEqualTo(1);
        assertThat(summary("y").used()).isEqualTo(1);
        assertThat(summary("free").waiting()).isZero();
    }

    @Test
    @Tag("R4.3")
    void a_run_held_by_a_run_limit_shows_when_it_is_checked_again() {
        var limits = new WorkflowLimits(1, null, null, WorkflowLimits.DEFAULT_CASCADE_DEPTH);
        var plan = World.plan(RunLimits.NONE, limits, Workflow.Policy.DEFAULT, step("a"));
        world.start("first", plan);
        world.start("second", plan);
        world.advance();

        assertThat(queries().snapshot("first").orElseThrow().holdUntil()).isNull();
        assertThat(Objects.requireNonNull(
                        queries().snapshot("second").orElseThrow().holdUntil()))
                .isBetween(world.now + World.SECOND, world.now + 2 * World.SECOND);
    }

    private @Nullable WaitReason why(String step) {
        var snapshot = queries().snapshot("r").orElseThrow();
        return Objects.requireNonNull(snapshot.steps().get(step)).why();
    }

    private OrganisationQueries queries() {
        return new OrganisationQueries(world.org, world.now);
    }

    private static Explanation.Blocker blocker(List<WaitReason> reasons, int index) {
        return ((WaitReason.Blocked) reasons.get(index)).blocker();
    }
}
