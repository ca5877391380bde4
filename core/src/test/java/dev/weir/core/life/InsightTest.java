package dev.weir.core.life;

import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Explanation;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RX.2")
class InsightTest {
    private final World world = new World();

    @Test
    @Tag("RX.6")
    void a_step_under_two_full_keys_without_a_worker_names_all_three() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("x", 1), FlowControl.parallelism("y", 1)));
        world.start("first", plan);
        world.poll(1);
        world.start("second", plan);
        world.pass(25 * World.SECOND);
        world.handle(new Heartbeat(UnitId.of("first", "a"), 1));

        var reasons = insight().why(UnitId.of("second", "a")).orElseThrow();

        assertThat(reasons.stream()
                        .map(reason -> ((Reason.Blocked) reason).blocker().limit()))
                .containsExactly(new LimitId.Key("x"), new LimitId.Key("y"), null);
        assertThat(blocker(reasons, 2).cause()).isEqualTo(Cause.NO_WORKER);
        assertThat(((Reason.Blocked) reasons.get(0)).holders())
                .extracting(Holder::run, Holder::step)
                .containsExactly(tuple("first", "a"));
    }

    @Test
    void however_many_items_are_in_flight_the_limit_that_holds_the_rest_is_named() {
        var few = new RunLimits(1_500, null, null, RunLimits.DEFAULT_TICK_INTERVAL);
        world.start("r", World.plan(few, step("s").items("range(2000)", null)));
        for (boolean made = false; !made; made = world.org.nextWakeup() > world.now) {
            world.advance();
        }
        assertThat(world.pollAll()).hasSize(1_500);

        var reasons = insight().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(blocker(reasons, 0).limit()).isEqualTo(LimitId.Local.RUN_STEPS);
        var glance = insight().glance("r").orElseThrow().steps().get("s");
        assertThat(Objects.requireNonNull(glance).why()).isInstanceOf(Reason.Held.class);
    }

    @Test
    void who_holds_the_concurrency_of_a_fan_out_are_its_own_items() {
        world.start("r", World.plan(step("a"), step("s").items("[1, 2, 3]", 1)));
        assertThat(world.polled(2)).containsExactly("r/a", "r/s/0");

        var reasons = insight().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(blocker(reasons, 0).limit()).isEqualTo(LimitId.Local.FAN_OUT);
        assertThat(((Reason.Blocked) reasons.getFirst()).holders())
                .extracting(Holder::step, Holder::item)
                .containsExactly(tuple("s", 0));
    }

    @Test
    void while_items_are_made_that_is_what_their_step_waits_for() {
        world.start("r", World.plan(step("s").items("range(5000)", null)));

        var reasons = insight().why(UnitId.of("r", "s")).orElseThrow();

        assertThat(reasons)
                .singleElement()
                .isInstanceOfSatisfying(
                        Reason.MakingItems.class,
                        making -> assertThat(making.total()).isEqualTo(5_000));
    }

    @Test
    void where_nobody_leaves_any_more_there_is_no_estimate() {
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
        var soon = blocker(insight().why(next).orElseThrow(), 0).expected();
        assertThat(Objects.requireNonNull(soon).at()).isBetween(world.now, world.now + 2 * World.SECOND);

        world.now += 10 * World.SECOND;
        assertThat(blocker(insight().why(next).orElseThrow(), 0).expected()).isNull();
    }

    @Test
    void a_position_is_counted_only_so_far() {
        var plan = World.plan(step("a").keys(FlowControl.parallelism("k", 1)));
        int waiting = Explanation.POSITION_MAX + 500;
        for (int i = 0; i <= waiting; i++) {
            world.start("r" + i, plan);
        }
        world.poll(1);

        var last = insight().why(UnitId.of("r" + waiting, "a")).orElseThrow();

        assertThat(blocker(last, 0).position()).isEqualTo(Explanation.POSITION_MAX + 1);
        assertThat(insight().findKey("k").orElseThrow().waiting()).isEqualTo(waiting);
        assertThat(insight().waitlist("k", 3)).extracting(Holder::run).containsExactly("r1", "r2", "r3");
        assertThat(insight().holders("k")).extracting(Holder::run).containsExactly("r0");
    }

    @Test
    @Tag("R2.10")
    void every_step_of_a_run_says_what_it_waits_for() {
        world.start("r", World.plan(step("a"), step("b", "a")));

        assertThat(why("a")).isEqualTo(new Reason.Held(null, Cause.NO_WORKER));
        assertThat(why("b")).isEqualTo(new Reason.Dependency(List.of("a")));

        world.poll(1);
        assertThat(why("a")).isInstanceOf(Reason.AlreadyRunning.class);
        assertThat(insight().glance("r").orElseThrow().running()).containsExactly(UnitId.of("r", "a"));
    }

    @Test
    @Tag("R2.10")
    void a_step_of_a_run_that_was_put_off_waits_until_then() {
        var start = StartRun.of("r", World.plan(step("a"), step("b", "a")), World.json("{}"));
        var later = new StartRun.Options(5 * World.SECOND, List.of());
        world.handle(new StartRun("r", start.plan(), start.input(), 0, null, start.labels(), later, Origin.NONE));
        world.advance();
        var delayed = new Reason.Delayed(world.now + 5 * World.SECOND);

        assertThat(insight().why(UnitId.of("r", "a")).orElseThrow()).containsExactly(delayed);
        assertThat(insight().why(UnitId.of("r", "b")).orElseThrow()).contains(delayed);
        assertThat(why("a")).isEqualTo(delayed);
        world.handle(new PauseRun("r"));
        assertThat(insight().why(UnitId.of("r", "a")).orElseThrow()).containsExactly(new Reason.Paused(), delayed);
    }

    @Test
    void a_step_that_a_retried_run_need_not_do_again_waits_for_nothing_while_the_run_is_queued() {
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
        world.handle(new PinKey(new LimitId.OrgRuns(), new Pin(1, null, Moment.NEVER)));
        world.start("other", World.plan(step("a")));

        world.handle(new RetryRun("r", old, steps));
        world.advance();

        assertThat(world.state("r", "a")).isEqualTo(StepState.COMPLETED);
        assertThat(why("a")).isNull();
        assertThat(insight().why(UnitId.of("r", "a")).orElseThrow()).isEmpty();
        assertThat(why("b")).isInstanceOf(Reason.Held.class);
    }

    @Test
    void keys_come_in_pages_by_name() {
        for (String key : List.of("b", "a", "c", "other")) {
            world.start("run-" + key, World.plan(step("a").keys(FlowControl.parallelism(key, 1))));
        }
        assertThat(insight().keys("", "a", 2))
                .extracting(view -> view.limit().text())
                .containsExactly("key:b", "key:c");
        assertThat(insight().keys("oth", "", 9)).hasSize(1);
        assertThat(insight().totals().keys()).isEqualTo(4);
        assertThat(insight().totals().waiting()).isEqualTo(4);
    }

    private @Nullable Reason why(String step) {
        var glance = insight().glance("r").orElseThrow();
        return Objects.requireNonNull(glance.steps().get(step)).why();
    }

    private Insight insight() {
        return new Insight(world.org, world.now);
    }

    private static Explanation.Blocker blocker(List<Reason> reasons, int index) {
        return ((Reason.Blocked) reasons.get(index)).blocker();
    }
}
