package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Assertions about the claims in an organisation's rows. */
final class ClaimRowAssertions {
    private static final int MANY = 1_000;

    private ClaimRowAssertions() {}

    /**
     * Checks that every reader finds the same claims in the rows as in memory, and that this many have rows of their
     * own.
     */
    static void expectClaimRows(OrganisationHarness harness, int rows) throws SQLException {
        List<Claim> claims = harness.memory.claims();
        assertThat(harness.ownership.claims(harness.org, 0, harness.memory.claimedUnits()))
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> new ClaimSummary(claim.unit(), claim.fence(), claim.until()))
                        .toList());
        for (SweepSlice.StepSummary stored :
                harness.ownership.slice(harness.org, 0, MANY, MANY).steps()) {
            var step = harness.memory.findStep(stored.unit()).orElseThrow();
            assertThat(stored).isEqualTo(new SweepSlice.StepSummary(step.id(), step.state(), step.fence()));
        }
        assertThat(count(harness, "claims")).isEqualTo(rows);
        assertThat(count(harness, "stored_live_claims")).isEqualTo(claims.size());
    }

    /** Loads the organisation and checks that its claims are the same as in memory. */
    static OrganisationRows load(OrganisationHarness harness) {
        var rows = harness.ownership.load(harness.org);
        assertThat(rows.claims()).containsExactlyInAnyOrderElementsOf(harness.memory.claims());
        return rows;
    }

    static void restart(OrganisationHarness harness) {
        harness.memory = Organisation.restore(load(harness), harness.now());
    }

    static long count(OrganisationHarness harness, String table) throws SQLException {
        return count(harness.org, table);
    }

    static long count(String org, String table) throws SQLException {
        try (var connection = TestPostgres.address().connect("claims", Duration.ofSeconds(10));
                var statement = connection.prepareStatement("select count(*) from weir." + table
                        + " where org = (select number from weir.organisations where name = ?)")) {
            statement.setString(1, org);
            try (var found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }
}
