package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.call.CallQueue.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.11")
class CallQueueTest {
    private final CallQueue rota = new CallQueue(9);

    @Test
    void one_organisation_does_not_get_all_places() {
        rota.wants("a");
        assertThat(rota.take()).containsExactly(new Share("a", 6));
        rota.wants("b");
        assertThat(rota.take()).containsExactly(new Share("b", 2));
        rota.wants("c");
        assertThat(rota.take()).containsExactly(new Share("c", 1));
    }

    @Test
    void those_who_come_together_share_alike_and_leave_some_for_the_next() {
        List.of("a", "b", "c").forEach(rota::wants);
        assertThat(rota.take()).containsExactly(new Share("a", 3), new Share("b", 3), new Share("c", 2));
    }

    @Test
    void a_place_that_comes_free_goes_to_the_next_in_turn() {
        var few = new CallQueue(1);
        List.of("a", "b", "c").forEach(few::wants);
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Share share = few.take().getFirst();
            served.add(share.org());
            few.answered(share, 1);
            assertThat(few.take()).as("no place is left").isEmpty();
            few.done(share.org());
        }
        assertThat(served).containsExactly("a", "b", "c", "a", "b", "c", "a");
    }

    @Test
    void who_uses_less_than_all_is_not_asked_again_until_it_wants_more() {
        rota.wants("a");
        Share share = rota.take().getFirst();
        rota.answered(share, 2);
        assertThat(rota.take()).isEmpty();
        assertThat(rota.free()).isEqualTo(7);
        rota.done("a");
        rota.done("a");
        assertThat(rota.free()).isEqualTo(9);
        assertThat(rota.take()).isEmpty();
    }

    @Test
    void a_wish_that_comes_while_it_is_asked_is_not_lost() {
        rota.wants("a");
        Share share = rota.take().getFirst();
        rota.wants("a");
        assertThat(rota.take()).as("it is being asked").isEmpty();
        rota.answered(share, 0);
        assertThat(rota.take()).containsExactly(share);
    }
}
