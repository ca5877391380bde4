package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.UpdateStep;
import dev.weir.core.command.UpdateStep.Answer;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.OrganisationHandle;
import dev.weir.engine.Weir;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.ClaimRequest;
import dev.weir.engine.work.WorkClaim;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that a secret which a worker receives and reports back is redacted in everything that is stored. */
@Tag("S9")
class SecretReportsTest {
    private static final String VALUE = "canary-4711";
    private static final String NEW_VALUE = "finch-0815";

    private final RotatingSecret secret = new RotatingSecret();
    private static final UnitId STEP = UnitId.of("r", "a");

    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), JournalFaults.NONE).with("acme");
    private Weir weir;
    private OrganisationHandle org;
    private WorkClaim claim;

    /** A secret that can be replaced while claims that received it are live. */
    private static final class RotatingSecret implements SecretSource {
        private volatile boolean rotated;

        @Override
        public Optional<String> find(String org, String name) {
            return name.equals("TOKEN") ? Optional.of(rotated ? NEW_VALUE : VALUE) : Optional.empty();
        }

        @Override
        public List<String> formerValues(String org, String name) {
            return rotated && name.equals("TOKEN") ? List.of(VALUE) : List.of();
        }
    }

    @BeforeEach
    void open() {
        reopen();
        org.register(Workflow.named("greet")
                .step("a")
                .uses("hello", Map.of("token", "Bearer ${{ secrets.TOKEN }}"))
                .build());
        org.start(SteppedShard.request("r"));
        claim = org.claim(ClaimRequest.ofRun("r", 9)).claims().getFirst();
        assertThat(claim.input().path("token").asString()).isEqualTo("Bearer " + VALUE);
    }

    @AfterEach
    void close() {
        weir.close();
    }

    private void reopen() {
        if (weir != null) {
            weir.close();
        }
        weir = Weir.open(journal, journal.records(), new EngineSettings("node", secret));
        org = weir.organisation("acme");
    }

    @Test
    void a_secret_in_an_output_is_hidden_and_a_repeated_report_is_recognised() {
        var report = new Update.Completed(json("{\"used\":\"Bearer canary-4711\",\"canary-4711\":[1]}"));
        assertThat(report(report)).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).isEqualTo("Completed[output={\"***\":[1],\"used\":\"Bearer ***\"}]");
        assertThat(report(report)).isEqualTo(Answer.REPLAYED);
        assertThat(report(new Update.Completed(json("1")))).isEqualTo(Answer.RUN_TERMINAL);
    }

    @Test
    void a_secret_in_an_error_is_hidden() {
        assertThat(report(new Update.Failed("401 for " + VALUE, true))).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).contains("401 for ***").doesNotContain("canary");
        assertThat(step().state()).isEqualTo(StepState.FAILED);
    }

    @Test
    void an_error_that_is_cut_within_a_secret_does_not_show_its_beginning() {
        String text = "x".repeat(Update.Failed.ERROR_CHARS_MAX - 9);
        assertThat(report(new Update.Failed(text + VALUE, true))).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).contains("x***").doesNotContain("canary");
    }

    @Test
    void a_secret_in_a_question_to_a_person_is_hidden() {
        var asked = new Update.NeedsInput(json("{\"ask\":\"is canary-4711 right?\"}"));
        assertThat(report(asked)).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).contains("is *** right?").doesNotContain("canary");
        assertThat(report(asked)).isEqualTo(Answer.REPLAYED);
        assertThat(step().state()).isEqualTo(StepState.NEEDS_INPUT);
    }

    @Test
    void a_report_without_text_is_applied_as_it_is() {
        assertThat(report(new Update.Rescheduled(0))).isEqualTo(Answer.APPLIED);
        assertThat(step().state()).isNotEqualTo(StepState.FAILED);
    }

    @Test
    @Tag("S7")
    void a_node_that_did_not_inject_the_secret_hides_it_too() {
        reopen();
        assertThat(report(new Update.Completed(json("\"canary-4711\"")))).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).isEqualTo("Completed[output=\"***\"]");
        reopen();
        assertThat(report(new Update.Completed(json("\"canary-4711\"")))).isEqualTo(Answer.REPLAYED);
    }

    @Test
    void a_secret_replaced_after_the_claim_is_hidden_and_a_repeated_report_is_recognised() {
        secret.rotated = true;
        var report = new Update.Completed(json("\"canary-4711\""));
        assertThat(log(0, "token canary-4711\n")).isEqualTo(LogStore.AppendResult.KEPT);
        assertThat(report(report)).isEqualTo(Answer.APPLIED);
        assertThat(storedReport()).isEqualTo("Completed[output=\"***\"]");
        assertThat(report(report)).isEqualTo(Answer.REPLAYED);
        assertThat(weir.records().logs().read("acme", STEP, 1, "").text()).isEqualTo("token ***********\n");
    }

    @Test
    void a_report_that_says_it_was_redacted_is_searched_all_the_same() {
        weir.send(
                        "acme",
                        new UpdateStep(STEP, claim.fence(), new Update.Completed(json("\"canary-4711\"")), true, true))
                .join();
        assertThat(storedReport()).doesNotContain("canary");
    }

    @Test
    void a_secret_in_a_log_is_hidden_even_if_it_spans_two_chunks() {
        assertThat(log(0, "token canary-4711, again: cana")).isEqualTo(LogStore.AppendResult.KEPT);
        assertThat(log(30, "ry-4711.\n")).isEqualTo(LogStore.AppendResult.KEPT);
        assertThat(log(0, "token canary-4711, again: cana")).isEqualTo(LogStore.AppendResult.REPLAYED);
        var tail = weir.records().logs().read("acme", STEP, 1, "");
        assertThat(tail.text()).isEqualTo("token ***********, again: ***********.\n");
        assertThat(tail.truncated()).isFalse();
    }

    private LogStore.AppendResult log(long from, String text) {
        return weir.log("acme", new LogChunk(STEP, claim.fence(), from, text));
    }

    private Answer report(Update update) {
        return weir.send("acme", new UpdateStep(STEP, claim.fence(), update)).join();
    }

    private dev.weir.engine.records.StepRecord step() {
        return weir.records().findStep("acme", STEP).orElseThrow();
    }

    private String storedReport() {
        return String.valueOf(step().lastUpdate());
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
