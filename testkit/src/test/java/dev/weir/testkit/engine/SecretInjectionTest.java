package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.EngineSettings;
import dev.weir.engine.OrganisationHandle;
import dev.weir.engine.Weir;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.ClaimRequest;
import dev.weir.engine.work.ModuleInfo;
import dev.weir.engine.work.WorkClaim;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that an unknown secret fails the step that needs it, and no other step. */
@Tag("L3")
class SecretInjectionTest {
    private static final SecretSource SECRETS =
            (org, name) -> name.equals("KNOWN") ? Optional.of("s3cret") : Optional.empty();

    private final MemoryJournal journal =
            new MemoryJournal(() -> Moment.of(Instant.now()), JournalFaults.NONE).with("acme");
    private final Weir weir = Weir.open(journal, journal.records(), new EngineSettings("node", SECRETS));
    private final OrganisationHandle org = weir.organisation("acme");

    @AfterEach
    void close() {
        weir.close();
    }

    private void start() {
        org.register(Workflow.named("greet")
                .step("a")
                .uses("hello", Map.of("s", "${{ secrets.KNOWN }}"))
                .step("b")
                .uses("hello", Map.of("s", "${{ secrets.LOST }}"))
                .step("c")
                .uses("hello")
                .build());
        org.start(SteppedShard.request("r"));
    }

    private void check(List<WorkClaim> claims) {
        assertThat(claims).extracting(claim -> claim.unit().step()).containsExactly("a", "c");
        assertThat(claims.getFirst().input().at("/s").asString()).isEqualTo("s3cret");
        var failed = weir.records().findStep("acme", UnitId.of("r", "b")).orElseThrow();
        assertThat(failed.state()).isEqualTo(StepState.FAILED);
        assertThat(failed.lastUpdate()).asString().contains("a secret named LOST");
    }

    @Test
    void a_claim_by_module_gets_the_claims_whose_secrets_are_known() {
        start();
        check(org.claim(ClaimRequest.of(ModuleInfo.of("hello"), 9)).claims());
    }

    @Test
    void a_claim_by_run_gets_the_claims_whose_secrets_are_known() {
        start();
        check(org.claim(ClaimRequest.ofRun("r", 9)).claims());
    }
}
