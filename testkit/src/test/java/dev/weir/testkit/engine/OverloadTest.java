package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Attribution;
import dev.weir.engine.request.Overloaded;
import dev.weir.engine.request.Unavailable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an overloaded shard first refuses new runs of the organisation that sends too many, and never heartbeats
 * or updates.
 */
class OverloadTest {
    private static final int WAITING_MAX = 10_000;
    private static final int READS_MAX = 25_000;

    private final SteppedShard world = new SteppedShard();

    @Test
    void an_overloaded_node_refuses_new_runs_and_accepts_reports() {
        String other = world.neighbour("other");
        world.register(ACME);
        world.register(other);
        world.start("r");
        var work = world.claim("q");
        for (int i = 0; i < WAITING_MAX; i++) {
            var unused = world.shard.start(ACME, request("x" + i));
        }

        var refused = world.shard.start(ACME, request("one too many"));
        var retried = world.shard.retry(ACME, "gone", "again", Attribution.PROGRAM);
        var neighbour = world.shard.start(other, request("y"));
        var beat = world.shard.send(
                ACME, new Heartbeat(work.claim().unit(), work.claim().fence()));
        var done = world.shard.send(ACME, SteppedShard.noOpReport(work));

        assertThatThrownBy(refused::join).hasCauseInstanceOf(Overloaded.class);
        assertThatThrownBy(retried::join).hasCauseInstanceOf(Overloaded.class);
        world.runUntilIdle();
        assertThat(neighbour).isCompleted();
        assertThat(answered(beat)).isInstanceOf(Heartbeat.Answer.Extended.class);
        assertThat(answered(done)).isEqualTo(UpdateStep.Answer.APPLIED);
        assertThat(world.start("one too many")).isNotNull();
    }

    @Test
    @Tag("L5")
    void questions_of_one_organisation_leave_room_for_those_of_another() {
        String other = world.neighbour("other");
        for (int i = 0; i < READS_MAX; i++) {
            var unused = world.shard.query(ACME, (organisation, now) -> now);
        }
        var refused = world.shard.query(ACME, (organisation, now) -> now);
        var neighbour = world.shard.query(other, (organisation, now) -> now);

        assertThatThrownBy(refused::join).hasCauseInstanceOf(Unavailable.class);
        assertThat(neighbour).isNotCompletedExceptionally();
        world.shard.runOnce();
        assertThat(neighbour).as("answered in the first pass").isCompleted();
    }
}
