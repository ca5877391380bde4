package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.state.Move;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.secret.SecretSource;
import dev.weir.testkit.journal.JournalFaults;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S7")
class JournalUnavailableTest {
    private final AtomicBoolean unavailable = new AtomicBoolean();

    @Test
    void nothing_is_promised_while_the_journal_is_unavailable_and_work_continues_afterwards() {
        try (var node = new TestNode(faults(), SecretSource.none())) {
            node.apply("w", "{'workflow':'w','steps':[]}");
            unavailable.set(true);
            var refused = node.post("/v1/runs", "{'workflow':'w','id':'r'}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsKey("retry-after");
            assertThat(refused.at("/detail")).contains("safe to retry");
            unavailable.set(false);
            await().untilAsserted(() -> assertThat(
                            node.post("/v1/runs", "{'workflow':'w','id':'r'}").status())
                    .isIn(200, 201));
        }
    }

    private JournalFaults faults() {
        return new JournalFaults() {
            @Override
            public void beforeTake(int shard, String owner) {
                if (unavailable.get()) {
                    throw new JournalFailure.Lost("the store is away", new IOException("away"));
                }
            }

            @Override
            public CommitFate beforeCommit(int shard, Map<String, List<Move>> moves) {
                return unavailable.get() ? CommitFate.UNWRITTEN_UNTOLD : CommitFate.WRITTEN;
            }
        };
    }
}
