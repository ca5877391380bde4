package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Update;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests claims that are granted when their run starts. They are inside the run's row until they change. */
@Tag("S7")
class InlineClaimsTest {
    private static final long LEASE = 30_000_000;
    private static final String LACKING =
            "workflow: lacking\nsteps: [{id: a, uses: m}, {id: b, uses: m, needs: [a], requires: [steps.a.x]}]";
    private static final String TWO = "workflow: two\nsteps: [{id: a, uses: m}, {id: b, uses: m, needs: [a]}]";

    private final String org = TestPostgres.createOrganisation();
    private final OrganisationHarness harness =
            new OrganisationHarness(TestPostgres.postgres().journal(), org, TWO);

    @AfterEach
    void close() {
        harness.close();
    }

    /** Starts a run while a worker waits for work, so that the worker gets its first step at once. */
    private Claim startClaimed(String worker) {
        var serves = List.of(new ClaimWork.ServedModule("m"));
        harness.commit(new ClaimWork("first", worker, serves, 1, LEASE));
        harness.commit(StartRun.of("r", harness.plan, OrganisationHarness.json("{}")));
        return harness.memory.claims().getFirst();
    }

    private void report(Claim claim, Update update) {
        harness.commit(new UpdateStep(claim.unit(), claim.fence(), update));
    }

    private Claim onlyClaim() {
        assertThat(harness.memory.claims()).hasSize(1);
        return harness.memory.claims().getFirst();
    }

    private void expectClaimRows(int rows) throws SQLException {
        ClaimRowAssertions.expectClaimRows(harness, rows);
        ClaimRowAssertions.load(harness);
    }

    @Test
    void a_first_step_that_is_claimed_and_ends_needs_no_row_of_a_claim() throws SQLException {
        Claim claim = startClaimed("w");
        expectClaimRows(0);
        report(claim, new Update.Completed(OrganisationHarness.json("1")));
        expectClaimRows(0);
        List<Assignment> second = harness.claim(1);
        expectClaimRows(1);
        harness.commit(harness.completion(second.getFirst(), "2"));
        expectClaimRows(0);
        assertThat(ClaimRowAssertions.count(harness, "runs")).isZero();
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_is_extended_gets_a_row(boolean restarted) throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimRowAssertions.restart(harness);
        }
        harness.commit(new Heartbeat(claim.unit(), claim.fence()));
        assertThat(onlyClaim().until()).isGreaterThan(claim.until());
        expectClaimRows(1);
        harness.commit(new Heartbeat(claim.unit(), claim.fence()));
        expectClaimRows(1);
        report(claim, new Update.Completed(OrganisationHarness.json("1")));
        expectClaimRows(0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_goes_on_while_its_step_needs_input_gets_a_row(boolean restarted) throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimRowAssertions.restart(harness);
        }
        report(claim, new Update.NeedsInput(OrganisationHarness.json("\"colour?\"")));
        expectClaimRows(1);
        harness.commit(new ProvideInput(claim.unit(), OrganisationHarness.json("\"red\"")));
        expectClaimRows(1);
        harness.claim(1);
        assertThat(onlyClaim().fence()).isGreaterThan(claim.fence());
        expectClaimRows(1);
        report(onlyClaim(), new Update.Completed(OrganisationHarness.json("1")));
        expectClaimRows(0);
    }

    @ParameterizedTest(name = "restarted: {0}")
    @ValueSource(booleans = {false, true})
    void a_claim_that_was_given_back_is_over_also_when_its_step_is_claimed_again(boolean restarted)
            throws SQLException {
        Claim claim = startClaimed("w");
        if (restarted) {
            ClaimRowAssertions.restart(harness);
        }
        report(claim, new Update.Rescheduled(0));
        expectClaimRows(0);
        List<Assignment> again = harness.claim(1);
        assertThat(again.getFirst().claim().unit()).isEqualTo(claim.unit());
        expectClaimRows(1);
        harness.commit(harness.completion(again.getFirst(), "1"));
        expectClaimRows(0);
    }

    @Test
    void amending_the_output_of_an_ended_step_brings_no_claim_back() throws SQLException {
        var otherHarness =
                new OrganisationHarness(TestPostgres.postgres().journal(), TestPostgres.createOrganisation(), LACKING);
        try (otherHarness) {
            var serves = List.of(new ClaimWork.ServedModule("m"));
            otherHarness.commit(new ClaimWork("first", "w", serves, 1, LEASE));
            otherHarness.commit(StartRun.of("r", otherHarness.plan, OrganisationHarness.json("{}")));
            Claim claim = otherHarness.memory.claims().getFirst();
            otherHarness.commit(
                    new UpdateStep(claim.unit(), claim.fence(), new Update.Completed(OrganisationHarness.json("{}"))));
            assertThat(otherHarness.commit(
                            new AmendOutput("r", "a", OrganisationHarness.json("{\"x\": 1}"), "somebody")))
                    .isEqualTo(new AmendOutput.Answer.Amended());
            ClaimRowAssertions.expectClaimRows(otherHarness, 0);
            ClaimRowAssertions.load(otherHarness);
        }
    }

    @Test
    void a_worker_may_be_called_anything() throws SQLException {
        startClaimed("w \" \\ \u0001 {}");
        expectClaimRows(0);
    }
}
