package dev.weir.server.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.Unavailable;
import dev.weir.server.http.BatchEntry;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class BatchRequestTest {
    private static List<String> carryOut(RuntimeException failure) throws Exception {
        var batch = new BatchRequest<String, String, String>(
                (word, at) -> {
                    if (word.equals("bad")) {
                        throw failure;
                    }
                    return CompletableFuture.completedFuture(word + " done");
                },
                (word, answer) -> answer,
                (entry, why) -> "refused: " + why);
        List<BatchEntry<String>> entries = Stream.of("a", "bad", "b")
                .map(word -> new BatchEntry<>("/list/" + word, JsonNodeFactory.instance.stringNode(word), word, null))
                .toList();
        var journal =
                new MemoryJournal(() -> dev.weir.core.limit.Moment.of(Instant.now()), JournalFaults.NONE).with("acme");
        try (var weir = Weir.open(journal, journal.records(), new EngineSettings("test"))) {
            return batch.execute(new EngineGateway(weir), entries);
        }
    }

    @Test
    void an_entry_that_meets_a_bug_fails_alone() throws Exception {
        assertThat(carryOut(new NullPointerException("a bug")))
                .satisfiesExactly(
                        a -> assertThat(a).isEqualTo("a done"),
                        bad -> assertThat(bad).startsWith("refused: find the details in the node's log under error"),
                        b -> assertThat(b).isEqualTo("b done"));
    }

    @Test
    void an_unavailable_store_fails_the_whole_batch() {
        assertThatThrownBy(() -> carryOut(new Unavailable("away", Duration.ofSeconds(1))))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(Unavailable.class);
    }
}
