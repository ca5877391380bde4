package dev.weir.core.run;

import static dev.weir.core.run.World.SECOND;
import static dev.weir.core.run.World.plan;
import static dev.weir.core.run.World.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.CancelPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.15")
class HeartbeatTest {
    private final World world = new World();

    @Test
    void a_claim_that_lives_is_extended_by_its_lease() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        for (int i = 0; i < 5; i++) {
            world.passTime(20 * SECOND);
            assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(World.LEASE, false));
        }
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    void an_ended_claim_does_not_come_back() {
        world.start("r", plan(step("a"), step("b", "a")));
        var a = world.poll(1).getFirst();
        world.passTime(World.LEASE);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
        var again = world.poll(1).getFirst();
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
        world.complete(again);
        assertThat(world.heartbeat(again)).isEqualTo(new Heartbeat.Answer.ClaimLost());
    }

    @Test
    void a_late_heartbeat_counts_while_the_expiry_is_not_decided() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.now += World.LEASE + SECOND;
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(World.LEASE, false));
        world.advance();
        assertThat(world.complete(a)).isEqualTo(UpdateStep.Answer.APPLIED);
    }

    @Test
    @Tag("R0.16")
    void a_heartbeat_reports_a_cancel_to_the_worker() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.handle(new CancelRun("r", CancelPolicy.CANCEL_RUNNING, "enough"));
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.Extended(ClaimLifecycle.CANCEL_GRACE, true));
    }

    @Test
    void after_a_stall_no_claim_expires_before_workers_could_renew() {
        world.start("r", plan(step("a")));
        var a = world.poll(1).getFirst();
        world.now += World.LEASE + SECOND;
        world.org.startListening(world.now);
        world.passTime(10 * SECOND - 1);
        assertThat(world.heartbeat(a)).isInstanceOf(Heartbeat.Answer.Extended.class);
        world.passTime(World.LEASE);
        assertThat(world.heartbeat(a)).isEqualTo(new Heartbeat.Answer.ClaimLost());
    }
}
