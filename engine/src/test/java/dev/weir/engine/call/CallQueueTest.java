package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.call.CallQueue.ClaimShare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.11")
class CallQueueTest {
    private final CallQueue queue = new CallQueue(9);

    @Test
    void one_organisation_does_not_get_all_slots() {
        queue.enqueue("a");
        assertThat(queue.take()).containsExactly(new ClaimShare("a", 6));
        queue.enqueue("b");
        assertThat(queue.take()).containsExactly(new ClaimShare("b", 2));
        queue.enqueue("c");
        assertThat(queue.take()).containsExactly(new ClaimShare("c", 1));
    }

    @Test
    void organisations_that_arrive_together_share_equally_and_leave_some() {
        List.of("a", "b", "c").forEach(queue::enqueue);
        assertThat(queue.take())
                .containsExactly(new ClaimShare("a", 3), new ClaimShare("b", 3), new ClaimShare("c", 2));
    }

    @Test
    void a_free_slot_goes_to_the_next_organisation() {
        var single = new CallQueue(1);
        List.of("a", "b", "c").forEach(single::enqueue);
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ClaimShare share = single.take().getFirst();
            served.add(share.org());
            single.recordClaimed(share, 1);
            assertThat(single.take()).as("no place is left").isEmpty();
            single.release(share.org());
        }
        assertThat(served).containsExactly("a", "b", "c", "a", "b", "c", "a");
    }

    @Test
    void an_organisation_that_leaves_slots_unused_waits_for_its_next_signal() {
        queue.enqueue("a");
        ClaimShare share = queue.take().getFirst();
        queue.recordClaimed(share, 2);
        assertThat(queue.take()).isEmpty();
        assertThat(queue.free()).isEqualTo(7);
        queue.release("a");
        queue.release("a");
        assertThat(queue.free()).isEqualTo(9);
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void a_signal_during_a_claim_is_not_lost() {
        queue.enqueue("a");
        ClaimShare share = queue.take().getFirst();
        queue.enqueue("a");
        assertThat(queue.take()).as("it is being asked").isEmpty();
        queue.recordClaimed(share, 0);
        assertThat(queue.take()).containsExactly(share);
    }
}
