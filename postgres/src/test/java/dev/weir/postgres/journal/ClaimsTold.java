package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Rows;
import dev.weir.engine.journal.ClaimMark;
import dev.weir.engine.journal.Slice;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What the rows of an organisation say of claims. */
final class ClaimsTold {
    private static final int MANY = 1_000;

    private ClaimsTold() {}

    /** What the rows say of claims is what memory says, whoever reads them; so many have rows of their own. */
    static void expectApart(Worlds world, int rows) throws SQLException {
        List<Claim> claims = world.memory.claims();
        assertThat(world.tenure.claims(world.org, 0, world.memory.claimed()))
                .containsExactlyInAnyOrderElementsOf(claims.stream()
                        .map(claim -> new ClaimMark(claim.unit(), claim.fence(), claim.until()))
                        .toList());
        for (Slice.StepMark mark : world.tenure.slice(world.org, 0, MANY, MANY).steps()) {
            var step = world.memory.findStep(mark.unit()).orElseThrow();
            assertThat(mark).isEqualTo(new Slice.StepMark(step.id(), step.state(), step.fence()));
        }
        assertThat(count(world, "claims")).isEqualTo(rows);
        assertThat(count(world, "open_claims")).isEqualTo(claims.size());
    }

    /** Reads memory anew, which has to say what it says. */
    static Rows load(Worlds world) {
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
