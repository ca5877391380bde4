package dev.weir.engine.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.journal.LoadUnfinished;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("L5")
class LoadMemoryTest {
    private static final long TOTAL = 100;

    private final LoadMemory memory = new LoadMemory(TOTAL);

    @Test
    void many_loads_at_once_stay_within_the_memory_and_all_of_them_end() throws Exception {
        var highest = new ArrayList<Long>();
        List<Thread> threads = new ArrayList<>();
        var failures = new ArrayList<Throwable>();
        for (int i = 0; i < 24; i++) {
            threads.add(Thread.ofVirtual().unstarted(() -> load(TOTAL / 3, highest)));
            threads.getLast().setUncaughtExceptionHandler((thread, failure) -> {
                synchronized (failures) {
                    failures.add(failure);
                }
            });
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(highest).hasSize(24).allMatch(taken -> taken <= TOTAL + TOTAL / 3);
        assertThat(memory.taken()).isZero();
    }

    /** Reads an organisation of that size, and begins again whenever the load must give up. */
    private void load(long size, List<Long> highest) {
        boolean isDone = false;
        while (!isDone) {
            try (var share = memory.begin()) {
                long most = 0;
                for (long read = 0; read < size; read++) {
                    share.take(1);
                    most = Math.max(most, memory.taken());
                }
                synchronized (highest) {
                    highest.add(most);
                }
                isDone = true;
            } catch (LoadUnfinished e) {
                // Another one was first.
            }
        }
    }

    @Test
    void one_load_may_need_more_than_there_is_and_the_younger_ones_give_theirs_back() {
        try (var oldest = memory.begin()) {
            try (var younger = memory.begin()) {
                oldest.take(60);
                younger.take(30);
                oldest.take(200);
                assertThatThrownBy(() -> younger.take(1)).isInstanceOf(LoadUnfinished.class);
                assertThat(memory.taken()).isEqualTo(260);
            }
            oldest.take(1_000);
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void a_load_that_gave_up_begins_again_once_the_oldest_has_ended() {
        var oldest = memory.begin();
        var younger = memory.begin();
        oldest.take(90);
        assertThatThrownBy(() -> younger.take(20)).isInstanceOf(LoadUnfinished.class);
        younger.close();
        var again = CompletableFuture.supplyAsync(memory::begin);
        assertThat(again).isNotDone();
        oldest.close();
        again.join().take(100);
        assertThat(memory.taken()).isEqualTo(100);
    }
}
