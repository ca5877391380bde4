package dev.weir.testkit.engine;

import static dev.weir.testkit.engine.SteppedShard.ACME;
import static dev.weir.testkit.engine.SteppedShard.SECOND;
import static dev.weir.testkit.engine.SteppedShard.answered;
import static dev.weir.testkit.engine.SteppedShard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.testkit.journal.JournalFaults;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests workers that wait for work. */
class PollsTest {
    private final SteppedShard world = new SteppedShard();

    @Test
    void two_polls_with_one_request_id_get_the_same_claims() {
        world.register(ACME);
        var first = world.poll("q");
        world.runUntilIdle();
        world.now += SECOND;
        var second = world.poll("q");
        world.runUntilIdle();
        world.start("r");
        assertThat(answered(first)).hasSize(1).isEqualTo(answered(second));
        assertThat(answered(first)).isEqualTo(List.of(world.claim("q")));
    }

    @Test
    void a_repeated_poll_does_not_extend_the_timeout_of_the_first_one() {
        world.register(ACME);
        var first = world.poll("q");
        world.advance(10 * SECOND);
        var second = world.poll("q");
        world.advance(11 * SECOND);
        assertThat(answered(first)).isEmpty();
        assertThat(second).isNotDone();
        world.start("r");
        assertThat(answered(second)).hasSize(1);
    }

    @Test
    @Tag("L3")
    void nothing_is_given_to_a_worker_that_has_gone() {
        world.register(ACME);
        var gone = world.poll("q1");
        world.runUntilIdle();
        assertThat(gone.cancel(false)).isTrue();
        world.runUntilIdle();
        world.start("r");
        assertThat(world.journal.rows(ACME, world.now).claims()).isEmpty();
        assertThat(world.claim("q2").claim().unit().run()).isEqualTo("r");
    }

    @Test
    @Tag("L7")
    void a_poll_repeated_after_an_outage_survives_a_reload() {
        world.register(ACME);
        var first = world.poll("q");
        world.fates.add(JournalFaults.CommitFate.UNWRITTEN_UNTOLD);
        var unused = world.shard.start(ACME, request("r1"));
        world.runUntilIdle();
        world.unreachable = true;
        world.advance(13 * SECOND);
        assertThat(first).isCompletedExceptionally();

        world.unreachable = false;
        world.advance(3 * SECOND);
        var second = world.poll("q");
        world.runUntilIdle();
        world.fates.add(JournalFaults.CommitFate.UNWRITTEN_UNTOLD);
        var again = world.shard.start(ACME, request("r2"));
        world.advance(SECOND);
        assertThat(answered(again)).isInstanceOf(StartOutcome.Started.class);
        assertThat(answered(second)).hasSize(1);
    }

    @Test
    @Tag("L6")
    void an_input_that_is_too_large_is_refused_with_its_size() {
        world.register(ACME);
        var large = JsonNodeFactory.instance.stringNode("x".repeat(256 * 1024));
        var answer = world.shard.start(ACME, StartRequest.of("r", "greet", large));
        world.runUntilIdle();
        assertThat(answered(answer)).isInstanceOf(StartOutcome.Refused.class);
        assertThat(answered(answer).toString()).contains("262144", "262146");
    }

    @Test
    @Tag("R2.10")
    void a_poll_that_is_repeated_without_waiting_counts_as_gone() {
        world.register(ACME);
        var waiting = world.poll("q");
        world.runUntilIdle();
        var leaving = world.shard.claim(
                ACME,
                new ClaimWork("q", "worker", List.of(new ClaimWork.ServedModule("hello")), 1, SteppedShard.LEASE),
                0);
        world.runUntilIdle();
        assertThat(answered(waiting)).isEmpty();
        assertThat(answered(leaving)).isEmpty();
        world.start("r");
        assertThat(reasons()).isEmpty();
        world.advance(SECOND);
        assertThat(reasons()).containsExactly(HoldCause.NO_WORKER);
    }

    private List<HoldCause> reasons() {
        var explained = world.shard.find(ACME).orElseThrow().why(UnitId.of("r", "say"), world.now);
        return explained.orElseThrow().blockers().stream()
                .map(Explanation.Blocker::cause)
                .toList();
    }
}
