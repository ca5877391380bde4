package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Move;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.request.Unavailable;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("S7")
class HealthTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final AtomicBoolean diskFull = new AtomicBoolean();
    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), faults()).with(ServerNode.DEFAULT_ORGANISATION, "acme");

    private JournalFaults faults() {
        return new JournalFaults() {
            @Override
            public CommitFate beforeCommit(int shard, Map<String, List<Move>> moves) {
                if (diskFull.get()) {
                    throw new JournalFailure.Lost("writing", "no space left", new IOException("no space left"));
                }
                return CommitFate.WRITTEN;
            }
        };
    }

    @Test
    void an_unresponsive_store_makes_the_node_unavailable_although_memory_responds() {
        try (var weir = Weir.open(journal, journal.records(), new EngineSettings("node"))) {
            assertThat(ServerNode.health(weir, List::of).status()).isEqualTo("ok");
            var health = ServerNode.health(weir, () -> {
                throw new Unavailable("PostgreSQL does not respond", Duration.ofSeconds(1));
            });
            assertThat(health.status()).isEqualTo("unavailable");
            assertThat(health.findings()).containsExactly("PostgreSQL does not respond");
        }
    }

    @Test
    void an_engine_that_does_not_answer_is_described_without_reference_to_the_log() {
        var weir = Weir.open(journal, journal.records(), new EngineSettings("node"));
        weir.close();
        var health = ServerNode.health(weir, List::of);
        assertThat(health.status()).isEqualTo("unavailable");
        assertThat(health.findings()).isNotEmpty().noneMatch(finding -> finding.contains("see the log"));
    }

    @Test
    void a_shard_without_progress_is_logged_once_and_degrades_the_node() throws Exception {
        PrintStream originalErr = System.err;
        var log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (var weir = Weir.open(journal, journal.records(), new EngineSettings("node"))) {
            assertThat(ServerNode.health(weir, List::of).status()).isEqualTo("ok");
            diskFull.set(true);
            var answer = weir.send(
                    "acme",
                    new RegisterWorkflow(Workflow.named("w").step("s").uses("m").build()));
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(ServerNode.health(weir, List::of))
                            .satisfies(health -> assertThat(health.status()).isEqualTo("degraded"))
                            .satisfies(health -> assertThat(health.findings())
                                    .singleElement()
                                    .asString()
                                    .contains("shard " + journal.shardOf("acme"), "no space left")
                                    .doesNotContain("see the log")));
            assertThat(log.toString(StandardCharsets.UTF_8)).containsOnlyOnce("cannot continue without the database");

            diskFull.set(false);
            answer.handle((done, failure) -> done).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            await().atMost(TIMEOUT)
                    .until(() -> ServerNode.health(weir, List::of).status(), "ok"::equals);
        } finally {
            System.setErr(originalErr);
        }
    }
}
