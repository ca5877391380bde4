package dev.weir.engine.shard;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {
    @Test
    void what_goes_on_by_itself_goes_on_after_an_exception_and_after_an_error() {
        var turns = new AtomicInteger();
        Loop.Turning failing = () -> switch (turns.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("planted");
            case 2 -> throw new OutOfMemoryError("planted");
            default -> Long.MAX_VALUE;
        };
        try (var loop = new Loop("failing", failing)) {
            loop.start();

            await().until(() -> turns.get() == 3);
        }
    }
}
