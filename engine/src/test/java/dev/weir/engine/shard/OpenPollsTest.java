package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.ClaimWork;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenPollsTest {
    private final OpenPolls polls = new OpenPolls();

    private static ClaimMessage poll(String request) {
        List<ClaimWork.Serves> modules = List.of(new ClaimWork.Serves("m"));
        return new ClaimMessage("acme", new ClaimWork(request, "worker", modules, 1, ClaimWork.LEASE_MIN), 5, 20);
    }

    @Test
    void a_poll_that_goes_before_it_was_taken_in_ends_no_other_that_would_end_with_it() {
        ClaimMessage waits = poll("a");
        polls.open(waits);
        polls.hurry(poll("b"));
        assertThat(polls.nextEnd()).isEqualTo(25);
        assertThat(polls.over(25)).containsExactly(waits);
    }

    @Test
    void a_poll_whose_caller_has_gone_is_over_at_once() {
        ClaimMessage gone = poll("a");
        ClaimMessage waits = poll("b");
        polls.open(waits);
        polls.open(gone);
        polls.hurry(gone);
        assertThat(polls.over(5)).containsExactly(gone);
        assertThat(polls.leave(gone)).isTrue();
        assertThat(polls.over(25)).containsExactly(waits);
    }
}
