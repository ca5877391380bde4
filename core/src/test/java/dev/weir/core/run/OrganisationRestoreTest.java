package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.definition.RunLimits;
import dev.weir.core.state.Claim;
import dev.weir.core.state.MemoryRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.6")
class OrganisationRestoreTest {
    private final World world = new World();

    private void restart() {
        var memoryRows = new MemoryRows();
        memoryRows.apply(world.moves);
        world.org = Organisation.restore(memoryRows.rows(world.now), world.now);
    }

    @Test
    @Tag("R3.8")
    @Tag("S1")
    void allocations_are_restored_before_anything_starts() {
        var key = FlowControl.parallelism("k", 2);
        world.start(
                "r", plan(step("a").keys(key), step("b").keys(key), step("c").keys(key)));
        var running = world.poll(9);
        restart();
        assertThat(world.pollIds(9)).isEmpty();
        assertThat(world.org.running("r")).containsExactly(UnitId.of("r", "a"), UnitId.of("r", "b"));
        assertThat(world.complete(running.getFirst())).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.pollIds(9)).containsExactly("r/c");
    }

    @Test
    @Tag("S3")
    void starts_before_the_restart_count_against_the_rate() {
        var key = FlowControl.rate("k", new RateLimit(2, Duration.ofSeconds(60), RateLimit.Window.SLIDING));
        world.start(
                "r", plan(step("a").keys(key), step("b").keys(key), step("c").keys(key)));
        world.poll(9).forEach(world::complete);
        world.passTime(30 * SECOND);
        restart();
        assertThat(world.pollIds(9)).isEmpty();
        world.passTime(30 * SECOND);
        assertThat(world.pollIds(9)).containsExactly("r/c");
    }

    @Test
    @Tag("S8")
    @Tag("L2")
    void fences_go_on_growing_and_claims_do_not_expire_before_workers_could_renew() {
        world.start("r", plan(step("a"), step("b")));
        var running = world.poll(9);
        world.now += 60 * SECOND;
        restart();
        world.org.startListening(world.now);
        world.passTime(9 * SECOND);
        assertThat(world.heartbeat(running.getFirst())).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.passTime(SECOND);
        assertThat(world.state("r", "a")).isEqualTo(StepState.RUNNING);
        assertThat(world.state("r", "b")).isEqualTo(StepState.READY);
        assertThat(world.poll(9).getFirst().claim().fence())
                .isGreaterThan(running.getLast().claim().fence());
    }

    @Test
    @Tag("R0.4")
    void a_tick_remembers_its_starts() {
        var ticks = new RunLimits(null, 2, null, Duration.ofSeconds(10));
        world.start("r", plan(ticks, step("a"), step("b"), step("c")));
        world.complete(world.poll(1).getFirst());
        restart();
        assertThat(world.pollIds(9)).containsExactly("r/b");
        restart();
        assertThat(world.pollIds(9)).isEmpty();
        world.passTime(10 * SECOND);
        assertThat(world.pollIds(9)).containsExactly("r/c");
    }

    @Test
    void due_times_requests_and_cancels_survive() {
        world.start("r", plan(step("a").retry(2, Duration.ofSeconds(5)), step("b")));
        var running = world.poll(9);
        world.fail(running.getFirst(), "once");
        world.handle(new CancelRun("x", null, ""));
        restart();
        world.passTime(5 * SECOND);
        assertThat(world.pollIds(9)).containsExactly("r/a");
        world.handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, "enough"));
        restart();
        assertThat(world.heartbeat(running.getLast()))
                .isEqualTo(new Heartbeat.Answer.Extended(ClaimLifecycle.CANCEL_GRACE, true));
        var again = new ClaimWork(
                running.getLast().claim().request(),
                "worker",
                List.of(new ClaimWork.ServedModule("m")),
                9,
                World.LEASE);
        assertThat(world.handle(again)).isInstanceOf(ClaimWork.Answer.Repeated.class);
    }

    @Test
    @Tag("S6")
    void a_repeated_report_is_known_after_a_restart_also_when_its_run_has_ended() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        world.complete(a, "1");
        restart();
        assertThat(world.complete(a, "1")).isEqualTo(UpdateStep.Answer.REPLAYED);
        world.complete(world.poll(1).getFirst());
        restart();
        assertThat(world.complete(a, "1")).isEqualTo(UpdateStep.Answer.REPLAYED);
        assertThat(world.complete(a, "2")).isEqualTo(UpdateStep.Answer.RUN_TERMINAL);
    }

    @Test
    @Tag("R0.7")
    void a_step_whose_claim_is_missing_from_the_rows_is_ready_again_and_its_place_is_free() {
        var key = FlowControl.parallelism("k", 1);
        world.start("r", plan(step("a").keys(key), step("b").keys(key)));
        var lost = world.poll(9).getFirst();
        var memoryRows = new MemoryRows();
        memoryRows.apply(world.moves);
        int before = world.moves.size();
        RunRef ref = ((Move.OfRun) world.moves.getLast()).ref();
        memoryRows.apply(List.of(new Move.Released(
                ref,
                lost.claim().unit(),
                lost.claim().fence(),
                Move.Released.Cause.EXPIRED,
                lost.claim().grantedAt(),
                world.now)));
        world.org = Organisation.restore(memoryRows.rows(world.now), world.now);

        assertThat(world.pollIds(9)).containsExactly("r/a");
        assertThat(world.complete(lost)).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        memoryRows.apply(world.moves.subList(before, world.moves.size()));
        assertThat(memoryRows.rows(world.now).withStarts(List.of())).isEqualTo(world.org.rows());
    }

    @Test
    void a_fan_out_that_is_half_made_goes_on_although_it_is_listed_before_what_it_needs() {
        int total = 3 * FanOutLifecycle.CHUNK_MAX;
        world.start("r", plan(step("each", "list").items("steps.list.output", null), step("list")));
        String list = IntStream.range(0, total).mapToObj(String::valueOf).collect(joining(",", "[", "]"));
        Assignment listing = world.poll(1).getFirst();
        world.handle(new UpdateStep(
                listing.claim().unit(), listing.claim().fence(), new Update.Completed(World.json(list))));
        restart();

        assertThat(world.org.rows().steps()).hasSizeLessThan(total);
        world.passTime(SECOND);
        world.passTime(SECOND);
        world.passTime(SECOND);
        assertThat(world.org.rows().steps()).hasSize(total + 2);
    }

    @Test
    @Tag("S8")
    void the_fence_of_a_claim_whose_row_is_gone_is_not_given_again_although_its_step_knows_nothing_of_it() {
        world.start("r", plan(step("a"), step("many").items("[1, 2]", null)));
        world.advance();
        OrganisationRows before = world.org.rows();
        List<Assignment> lost = world.poll(9);
        assertThat(before.claims()).isEmpty();
        world.org =
                Organisation.restore(withHighestFence(before, world.org.rows().highestFence()), world.now);
        world.advance();
        assertThat(world.complete(lost.getFirst())).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
        List<Assignment> again = world.poll(9);
        long newest = lost.stream().mapToLong(one -> one.claim().fence()).max().orElseThrow();
        assertThat(again).hasSameSizeAs(lost).allSatisfy(one -> {
            assertThat(one.claim().fence()).isGreaterThan(newest);
            assertThat(one.attempt()).isEqualTo(1);
        });
        assertThat(world.complete(lost.getFirst())).isEqualTo(UpdateStep.Answer.CLAIM_SUPERSEDED);
    }

    @Test
    @Tag("S8")
    void fences_go_on_from_the_highest_in_the_rows_where_no_number_was_stored() {
        world.start("r", plan(step("a"), step("b")));
        Assignment a = world.poll(1).getFirst();
        world.update(a, new Update.Rescheduled(SECOND));
        world.passTime(2 * SECOND);
        List<Assignment> both = world.poll(2);
        world.org = Organisation.restore(withHighestFence(world.org.rows(), 0), world.now);
        both.forEach(one -> world.update(one, new Update.Rescheduled(SECOND)));
        world.passTime(2 * SECOND);
        assertThat(world.poll(2)).extracting(one -> one.claim().fence()).containsExactly(3L, 3L);
    }

    @Test
    void a_fan_out_whose_list_cannot_be_rendered_again_fails_alone() {
        int total = 2 * FanOutLifecycle.CHUNK_MAX;
        var plan = plan(step("each").items("input.list", null).onFailure(OnFailure.CONTINUE), step("b"));
        for (String amended : List.of("{}", "{'list': [1]}", "{'list': 7}")) {
            String run = "r" + amended.length();
            world.start(
                    run,
                    plan,
                    IntStream.range(0, total).mapToObj(String::valueOf).collect(joining(",", "{'list': [", "]}")));
            OrganisationRows half = world.org.rows();
            assertThat(half.steps()).hasSizeLessThan(total);
            world.restart(changed(
                    half,
                    row -> row.id().equals(run)
                            ? row.with(row.limitNeeds(), row.detail().withInput(World.json(amended)))
                            : row,
                    half.claims()));
            world.passTime(SECOND);
            world.passTime(SECOND);
            var made = world.pollAll();
            assertThat(made).hasSize(FanOutLifecycle.CHUNK_MAX + 1);
            made.forEach(world::complete);
            assertThat(world.state(run)).isEqualTo(RunState.COMPLETED);
        }
    }

    @Test
    @Tag("S8")
    void a_step_that_has_its_input_and_has_lost_its_claim_is_admitted_again() {
        world.start("r", plan(step("a"), step("b")));
        List<Assignment> both = world.poll(2);
        both.forEach(one -> world.update(one, new Update.NeedsInput(World.json("{}"))));
        world.handle(new ProvideInput(UnitId.of("r", "a"), World.json("1")));
        world.advance();
        OrganisationRows rows = world.org.rows();
        world.restart(changed(rows, row -> row, List.of()));
        Assignment again = world.poll(2).getFirst();
        assertThat(again.claim().unit()).isEqualTo(UnitId.of("r", "a"));
        assertThat(again.claim().fence()).isEqualTo(2);
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.provided()).isEqualTo(World.json("1"));
        assertThat(world.state("r", "b")).as("it still needs its input").isEqualTo(StepState.NEEDS_INPUT);
        world.handle(new ProvideInput(UnitId.of("r", "b"), World.json("2")));
        assertThat(world.pollIds(2)).containsExactly("r/b");
    }

    @Test
    @Tag("S8")
    void a_step_that_needs_input_and_has_lost_its_claim_ends_with_its_run() {
        world.start("r", plan(step("a"), step("b")));
        List<Assignment> both = world.poll(2);
        world.update(both.getFirst(), new Update.NeedsInput(World.json("{}")));
        OrganisationRows rows = world.org.rows();
        world.restart(changed(rows, row -> row, rows.claims().subList(1, 2)));
        world.handle(new CancelRun("r", CancelPolicy.ALLOW_FINISH, "enough"));
        world.complete(both.getLast());
        assertThat(world.state("r")).isEqualTo(RunState.CANCELLED);
    }

    private static OrganisationRows withHighestFence(OrganisationRows rows, long highest) {
        return new OrganisationRows(
                rows.runs(),
                rows.steps(),
                rows.claims(),
                rows.signals(),
                rows.starts(),
                rows.operators(),
                rows.profiles(),
                rows.workflows(),
                rows.endedRuns(),
                rows.nextRunNumber(),
                highest,
                rows.listeningSpans(),
                rows.access(),
                rows.events(),
                rows.attention());
    }

    private static OrganisationRows changed(OrganisationRows rows, UnaryOperator<RunRow> how, List<Claim> claims) {
        return new OrganisationRows(
                rows.runs().stream().map(how).toList(),
                rows.steps(),
                claims,
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
                rows.attention());
    }
}
