package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.core.admission.HoldKind;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.Weir;
import dev.weir.engine.request.StartRequest;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** The node's counters of held work follow the organisations that are in its memory. */
@Tag("RX.4")
class HeldCountersTest {
    private static final Duration HANG_GUARD = Duration.ofSeconds(60);

    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), JournalFaults.NONE).with("acme", "other");

    private static void startHeld(Weir weir, String org) {
        weir.send(org, new PauseKey(new LimitId.Key("k"), Moment.NEVER)).join();
        weir.send(
                        org,
                        new RegisterWorkflow(WorkflowReader.read(
                                        "{workflow: w, steps: [{id: a, uses: m, flow_control: {key: k, parallelism: 1}}]}")
                                .orThrow()))
                .join();
        weir.start(org, StartRequest.of("r", "w", JsonNodeFactory.instance.objectNode()))
                .join();
    }

    private static void awaitPaused(Weir weir, long count) {
        await().atMost(HANG_GUARD)
                .untilAsserted(() -> assertThat(weir.counters().held()).containsEntry(HoldKind.PAUSED, count));
    }

    @Test
    void held_steps_of_all_organisations_count_until_they_leave_the_memory() {
        Weir weir = Weir.open(journal, journal.records(), new EngineSettings("node"));
        try (weir) {
            startHeld(weir, "acme");
            awaitPaused(weir, 1);
            startHeld(weir, "other");
            awaitPaused(weir, 2);
        }
        assertThat(weir.counters().held().values()).containsOnly(0L);
    }
}
