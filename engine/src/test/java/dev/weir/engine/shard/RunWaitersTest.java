package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.request.TooManyReads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R0.16")
class RunWaitersTest {
    private final RunWaiters waiters = new RunWaiters();

    @Test
    void an_organisation_has_a_bounded_number_of_waiting_callers_and_others_do_not_notice() {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < RunWaiters.PER_ORGANISATION_MAX; i++) {
            waiting.add(waiters.register("acme", "r" + i % 7));
        }

        assertThatThrownBy(() -> waiters.register("acme", "r"))
                .isInstanceOf(TooManyReads.class)
                .hasMessageContaining("1000");
        assertThat(waiters.register("other", "r").cancel(false)).isTrue();
        assertThat(waiting.getFirst().cancel(false)).isTrue();
        waiting.add(waiters.register("acme", "r"));
        assertThat(waiters.size()).isEqualTo(RunWaiters.PER_ORGANISATION_MAX);
        waiting.forEach(waiter -> waiter.cancel(false));
        assertThat(waiters.size()).as("nothing is kept of those who left").isZero();
    }

    @Test
    void everyone_is_woken_when_the_node_closes_or_the_organisation_is_loaded_anew() {
        var one = waiters.register("acme", "one");
        var two = waiters.register("acme", "two");
        assertThat(waiters.findAll("acme")).containsExactlyInAnyOrder(one, two);
        assertThat(waiters.findAll("other")).isEmpty();

        waiters.wakeAll();

        assertThat(one).isCompleted();
        assertThat(two).isCompleted();
        assertThat(waiters.size()).isZero();
    }
}
