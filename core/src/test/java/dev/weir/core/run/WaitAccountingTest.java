package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.maxSteps;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Hold;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.StartRun;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.core.state.WaitEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits are recorded in rows that are written anyway, and nothing is recorded for a step that did not wait. */
@Tag("RX.3")
class WaitAccountingTest {
    private final World world = new World();

    private StepRow row(String step) {
        return world.moves.stream()
                .filter(move -> move instanceof Move.StepMoved moved
                        && moved.row().id().step().equals(step))
                .map(move -> ((Move.StepMoved) move).row())
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private List<WaitEntry> waited(String step) {
        StepRow.Waits spent = row(step).detail().waits();
        return spent == null ? List.of() : spent.waited();
    }

    @Test
    void a_step_that_starts_soon_and_completes_keeps_nothing() {
        world.start("r", plan(step("a")));
        world.advance();
        world.passTime(WaitAccounting.RECORDED_MIN - 1);
        Assignment claim = world.poll(1).getFirst();
        world.passTime(9 * SECOND);
        world.complete(claim);
        assertThat(claim.claim().waited()).isEmpty();
        assertThat(row("a").detail()).isEqualTo(StepRow.Detail.DEFAULT);
    }

    @Test
    void a_claim_keeps_its_waits_across_a_restart_and_moves_them_to_the_row_when_it_ends() {
        world.start("r", plan(step("a")));
        world.advance();
        world.passTime(5 * SECOND);
        Assignment claim = world.poll(1).getFirst();
        var noWorker = new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 5 * SECOND);
        assertThat(claim.claim().waited()).containsExactly(noWorker);
        world.restart();
        world.passTime(2 * SECOND);
        world.complete(claim);
        assertThat(waited("a")).containsExactly(noWorker);
    }

    /** Starts a run whose step waits for the only allocation of a key, until another step returns it. */
    private void holdBackForSevenSeconds(String run) {
        var one = FlowControl.parallelism("k", 1);
        world.start("r1", plan(step("a").keys(one)));
        world.start(run, plan(step("a").keys(one)));
        world.advance();
        Assignment first = world.poll(1).getFirst();
        world.passTime(7 * SECOND);
        world.complete(first);
    }

    @Test
    void waits_for_a_limit_and_then_for_a_worker_are_recorded_separately() {
        holdBackForSevenSeconds("r2");
        world.advance();
        world.passTime(3 * SECOND);
        Assignment second = world.poll(1).getFirst();
        assertThat(second.claim().waited())
                .containsExactly(
                        new WaitEntry(WaitEntry.Cause.CAPACITY, "key:k", 7 * SECOND),
                        new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 3 * SECOND));
    }

    @Test
    void the_time_of_a_lost_worker_counts_as_waiting_until_its_claim_ends() {
        world.start("r", plan(step("a")));
        world.advance();
        world.poll(1);
        world.passTime(World.LEASE);
        assertThat(waited("a")).containsExactly(new WaitEntry(WaitEntry.Cause.LOST_WORKER, null, World.LEASE));
    }

    @Test
    void pauses_between_tries_sum_up() {
        world.start("r", plan(step("a").retry(3, Duration.ofSeconds(4))));
        world.advance();
        for (int tries = 0; tries < 3; tries++) {
            world.fail(world.poll(1).getFirst(), "no");
            world.passTime(20 * SECOND);
        }
        assertThat(waited("a")).extracting(WaitEntry::cause).contains(WaitEntry.Cause.BACKOFF);
        assertThat(WaitEntry.total(waited("a"))).isEqualTo(40 * SECOND);
    }

    @Test
    void a_step_that_is_cancelled_while_it_waits_records_its_wait() {
        world.start("r", plan(step("a").keys(FlowControl.parallelism("k", 1))));
        world.advance();
        world.passTime(6 * SECOND);
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(waited("a")).containsExactly(new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 6 * SECOND));
    }

    /**
     * Asserts that the waits recorded when a run is cancelled match the first hold that each unit showed just before.
     */
    private void waitsAgreeWithWhy(String run, List<Unit> units) {
        List<WaitEntry> said = units.stream()
                .map(unit -> WaitEntry.of(
                        world.org.firstHold(unit.id(), world.now).orElse(Hold.NO_WORKER),
                        world.now - unit.step().since))
                .toList();
        world.handle(new CancelRun(run, null, "enough"));
        world.passTime(0);
        List<List<WaitEntry>> noted =
                units.stream().map(unit -> unit.detail.waited()).toList();
        assertThat(noted).containsExactlyElementsOf(said.stream().map(List::of).toList());
    }

    private List<Unit> waiting(String run) {
        List<Unit> waiting = new ArrayList<>();
        for (RunStep step : Objects.requireNonNull(world.org.live.runs.find(run)).steps) {
            for (int i = 0; step.items != null && i < step.items.createdCount; i++) {
                waiting.add(step.items.get(i));
            }
            waiting.add(step);
        }
        waiting.removeIf(unit -> unit.ticket == null);
        return waiting;
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 2 * FanOutLifecycle.CHUNK_MAX + 3})
    void items_of_a_run_that_is_cancelled_before_any_worker_came_have_waited_for_a_worker(int items) {
        world.start("r", plan(step("a").items("range(" + items + ")", 2)));
        world.passTime(6 * SECOND);
        List<Unit> waiting = waiting("r");
        assertThat(waiting).hasSize(items);
        waitsAgreeWithWhy("r", waiting);
        assertThat(waiting.getLast().detail.waited())
                .containsExactly(new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 6 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 2 * FanOutLifecycle.CHUNK_MAX + 3})
    void items_held_by_their_run_record_that_wait_although_the_cancel_frees_capacity(int items) {
        world.start("r", plan(maxSteps(2), step("a").items("range(" + items + ")", null), step("b")));
        world.passTime(0);
        world.poll(2).forEach(one -> world.update(one, new Update.NeedsInput(World.json("1"))));
        world.passTime(6 * SECOND);
        List<Unit> waiting = waiting("r");
        assertThat(waiting).hasSize(items + 1 - 2);
        waitsAgreeWithWhy("r", waiting);
        assertThat(waiting.getLast().detail.waited())
                .containsExactly(new WaitEntry(WaitEntry.Cause.CAPACITY, "run_steps", 6 * SECOND));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 2 * FanOutLifecycle.CHUNK_MAX + 3})
    void units_of_a_paused_run_that_is_cancelled_record_the_pause_as_their_wait(int items) {
        world.start("r", plan(step("a").items("range(" + items + ")", null), step("b")));
        world.handle(new PauseRun("r"));
        world.passTime(6 * SECOND);
        List<Unit> waiting = waiting("r");
        waitsAgreeWithWhy("r", waiting);
        assertThat(waiting.getLast().detail.waited())
                .containsExactly(new WaitEntry(WaitEntry.Cause.PAUSED, "run", 6 * SECOND));
    }

    @Test
    void a_step_that_no_limit_holds_has_waited_for_a_worker_although_one_polled_just_now() {
        world.start("r", plan(step("a")));
        world.advance();
        world.passTime(6 * SECOND);
        world.poll("m2", 1);
        world.handle(new ClaimWork("request", "worker", List.of(new ClaimWork.ServedModule("m")), 1, World.LEASE));
        world.handle(new EndPoll("request"));
        assertThat(world.org.firstHold(UnitId.of("r", "a"), world.now)).isEmpty();
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(waited("a")).containsExactly(new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 6 * SECOND));
    }

    @Test
    void a_cancelled_step_records_its_waits_for_a_limit_and_for_a_worker_separately() {
        holdBackForSevenSeconds("r2");
        world.passTime(3 * SECOND);
        world.handle(new CancelRun("r2", null, "enough"));
        assertThat(waited("a"))
                .containsExactly(
                        new WaitEntry(WaitEntry.Cause.CAPACITY, "key:k", 7 * SECOND),
                        new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 3 * SECOND));
    }

    private List<WaitEntry> waitedOfRun(String run) {
        return world.moves.stream()
                .filter(move ->
                        move instanceof Move.RunMoved moved && moved.row().id().equals(run))
                .map(move -> ((Move.RunMoved) move).row().detail().waited())
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    @Test
    void a_run_that_is_cancelled_before_it_has_started_has_waited_all_the_time() {
        Plan one = plan(RunLimits.NONE, new WorkflowLimits(1, null, null, 10), Workflow.Policy.DEFAULT, step("a"));
        world.start("first", one);
        world.start("second", one);
        world.start("paused", one);
        world.handle(new PauseRun("paused"));
        var later = new RunRequest.Options(9 * SECOND, List.of());
        world.handle(new StartRun(
                new RunRequest("later", one, World.json("{}"), 0, null, new TreeMap<>(), later, RunLineage.NONE)));
        world.passTime(6 * SECOND);
        for (String run : List.of("second", "paused", "later")) {
            world.handle(new CancelRun(run, null, "enough"));
        }
        assertThat(waitedOfRun("second"))
                .containsExactly(new WaitEntry(WaitEntry.Cause.CAPACITY, "workflow_runs:flow", 6 * SECOND));
        assertThat(waitedOfRun("paused")).containsExactly(new WaitEntry(WaitEntry.Cause.PAUSED, "run", 6 * SECOND));
        assertThat(waitedOfRun("later")).containsExactly(new WaitEntry(WaitEntry.Cause.DELAYED, null, 6 * SECOND));
    }
}
