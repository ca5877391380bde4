package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ClaimWork;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenPollsTest {
    private final OpenPolls polls = new OpenPolls();

    private static ClaimMessage poll(String request) {
        List<ClaimWork.ServedModule> modules = List.of(new ClaimWork.ServedModule("m"));
        return new ClaimMessage("acme", new ClaimWork(request, "worker", modules, 1, ClaimWork.LEASE_MIN), 5, 20);
    }

    @Test
    void a_poll_cancelled_before_it_was_opened_ends_no_other_poll() {
        ClaimMessage waiting = poll("a");
        polls.open(waiting);
        polls.expireNow(poll("b"));
        assertThat(polls.nextExpiry()).isEqualTo(25);
        assertThat(polls.expired(25)).containsExactly(waiting);
    }

    @Test
    void a_poll_whose_caller_has_gone_expires_at_once() {
        ClaimMessage cancelled = poll("a");
        ClaimMessage waiting = poll("b");
        polls.open(waiting);
        polls.open(cancelled);
        polls.expireNow(cancelled);
        assertThat(polls.expired(5)).containsExactly(cancelled);
        assertThat(polls.remove(cancelled)).isTrue();
        assertThat(polls.expired(25)).containsExactly(waiting);
    }
}
