package dev.weir.core.life;

import static dev.weir.core.life.World.SECOND;
import static dev.weir.core.life.World.plan;
import static dev.weir.core.life.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.FlowControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a step waited for is noted where it is written anyway, and nothing is where it did not wait. */
@Tag("RX.3")
class SpendingTest {
    private final World world = new World();

    private StepRow row(String step) {
        return world.moves.stream()
                .filter(move -> move instanceof Move.StepMoved moved
                        && moved.row().id().step().equals(step))
                .map(move -> ((Move.StepMoved) move).row())
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private List<Waited> waited(String step) {
        StepRow.Spent spent = row(step).detail().spent();
        return spent == null ? List.of() : spent.waited();
    }

    @Test
    void a_step_that_starts_soon_and_completes_keeps_nothing() {
        world.start("r", plan(step("a")));
        world.advance();
        world.pass(Spending.NOTED_MIN - 1);
        Assignment claim = world.poll(1).getFirst();
        world.pass(9 * SECOND);
        world.complete(claim);
        assertThat(claim.claim().waited()).isEmpty();
        assertThat(row("a").detail()).isEqualTo(StepRow.Detail.DEFAULT);
    }

    @Test
    void what_was_waited_for_lies_on_the_claim_over_a_restart_and_goes_to_the_row_with_its_end() {
        world.start("r", plan(step("a")));
        world.advance();
        world.pass(5 * SECOND);
        Assignment claim = world.poll(1).getFirst();
        var noWorker = new Waited(Waited.For.NO_WORKER, null, 5 * SECOND);
        assertThat(claim.claim().waited()).containsExactly(noWorker);
        world.restart();
        world.pass(2 * SECOND);
        world.complete(claim);
        assertThat(waited("a")).containsExactly(noWorker);
    }

    @Test
    void a_limit_and_the_worker_after_it_are_told_apart() {
        var one = FlowControl.parallelism("k", 1);
        world.start("r1", plan(step("a").keys(one)));
        world.start("r2", plan(step("a").keys(one)));
        world.advance();
        Assignment first = world.poll(1).getFirst();
        world.pass(7 * SECOND);
        world.complete(first);
        world.advance();
        world.pass(3 * SECOND);
        Assignment second = world.poll(1).getFirst();
        assertThat(second.claim().waited())
                .containsExactly(
                        new Waited(Waited.For.CAPACITY, "key:k", 7 * SECOND),
                        new Waited(Waited.For.NO_WORKER, null, 3 * SECOND));
    }

    @Test
    void a_worker_that_is_not_heard_of_again_is_waited_for_until_its_claim_ends() {
        world.start("r", plan(step("a")));
        world.advance();
        world.poll(1);
        world.pass(World.LEASE);
        assertThat(waited("a")).containsExactly(new Waited(Waited.For.LOST_WORKER, null, World.LEASE));
    }

    @Test
    void pauses_between_tries_sum_up() {
        world.start("r", plan(step("a").retry(3, Duration.ofSeconds(4))));
        world.advance();
        for (int tries = 0; tries < 3; tries++) {
            world.fail(world.poll(1).getFirst(), "no");
            world.pass(20 * SECOND);
        }
        assertThat(waited("a")).extracting(Waited::what).contains(Waited.For.BACKOFF);
        assertThat(Waited.total(waited("a"))).isEqualTo(40 * SECOND);
    }

    @Test
    void what_is_taken_out_of_a_waitlist_was_waiting_there() {
        world.start("r", plan(step("a").keys(FlowControl.parallelism("k", 1))));
        world.advance();
        world.pass(6 * SECOND);
        world.handle(new CancelRun("r", null, "enough"));
        assertThat(waited("a")).containsExactly(new Waited(Waited.For.NO_WORKER, null, 6 * SECOND));
    }
}
