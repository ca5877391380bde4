package dev.weir.engine.shard;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {
    @Test
    void a_loop_continues_after_an_exception_and_after_an_error() {
        var iterations = new AtomicInteger();
        Loop.LoopTask failing = () -> switch (iterations.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("planted");
            case 2 -> throw new OutOfMemoryError("planted");
            default -> Long.MAX_VALUE;
        };
        try (var loop = new Loop("failing", failing)) {
            loop.start();

            await().until(() -> iterations.get() == 3);
        }
    }
}
