package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Assertions about the claims in an organisation's rows. */
final class ClaimsTold {
    private static final int MANY = 1_000;

    private ClaimsTold() {}

    /**
     * Checks that every reader finds the same claims in the rows as in memory, and that this many have rows of their
     * own.
     */
    static void expectApart(Worlds world, int rows) throws SQLException {
        List<Claim> claims = world.memory.claims();
        assertThat(world.tenure.claims(world.org, 0, world.memory.claimed()))
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> new ClaimSummary(claim.unit(), claim.fence(), claim.until()))
                        .toList());
        for (SweepSlice.StepMark mark :
                world.tenure.slice(world.org, 0, MANY, MANY).steps()) {
            var step = world.memory.findStep(mark.unit()).orElseThrow();
            assertThat(mark).isEqualTo(new SweepSlice.StepMark(step.id(), step.state(), step.fence()));
        }
        assertThat(count(world, "claims")).isEqualTo(rows);
        assertThat(count(world, "open_claims")).isEqualTo(claims.size());
    }

    /** Loads the organisation and checks that its claims are the same as in memory. */
    static OrganisationRows load(Worlds world) {
        var rows = world.tenure.load(world.org);
        assertThat(rows.claims()).containsExactlyInAnyOrderElementsOf(world.memory.claims());
        return rows;
    }

    static void restart(Worlds world) {
        world.memory = Organisation.restore(load(world), world.now());
    }

    static long count(Worlds world, String table) throws SQLException {
        return count(world.org, table);
    }

    static long count(String org, String table) throws SQLException {
        try (var connection = Server.access().connect("claims", Duration.ofSeconds(10));
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
