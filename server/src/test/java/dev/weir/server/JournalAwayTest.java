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
class JournalAwayTest {
    private final AtomicBoolean away = new AtomicBoolean();

    @Test
    void nothing_is_promised_while_the_journal_is_away_and_all_goes_on_when_it_is_back() {
        try (var node = new TestNode(faults(), SecretSource.none())) {
            node.apply("w", "{'workflow':'w','steps':[]}");
            away.set(true);
            var refused = node.post("/v1/runs", "{'workflow':'w','id':'r'}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers()).containsKey("retry-after");
            assertThat(refused.at("/detail")).contains("safe to retry");
            away.set(false);
            await().untilAsserted(() -> assertThat(
                            node.post("/v1/runs", "{'workflow':'w','id':'r'}").status())
                    .isIn(200, 201));
        }
    }

    private JournalFaults faults() {
        return new JournalFaults() {
            @Override
            public void taking(int shard, String owner) {
                if (away.get()) {
                    throw new JournalFailure.Lost("the store is away", new IOException("away"));
                }
            }

            @Override
            public Commit committing(int shard, Map<String, List<Move>> moves) {
                return away.get() ? Commit.UNWRITTEN_UNTOLD : Commit.WRITTEN;
            }
        };
    }
}
