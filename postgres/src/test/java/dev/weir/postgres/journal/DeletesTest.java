package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.StartRun;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.Server;
import dev.weir.postgres.Worlds;
import dev.weir.postgres.sql.PipelinedTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that runs and claims are deleted one by one or by list: exactly the given ones. */
class DeletesTest {
    private final String org = Server.organisation();
    private final String other = Server.organisation();

    private static void start(Worlds world) {
        for (int i = 0; i < 4; i++) {
            world.commit(StartRun.of("r" + i, world.plan, Worlds.json("{}")));
        }
    }

    private static long number(Worlds world, Assignment of) {
        return world.tenure.load(world.org).runs().stream()
                .filter(run -> run.id().equals(of.claim().unit().run()))
                .findFirst()
                .orElseThrow()
                .number();
    }

    private static long count(String table, int organisation) throws SQLException {
        try (var connection = Server.access().connect("deletes", Duration.ofSeconds(10));
                var statement = connection.createStatement();
                var found =
                        statement.executeQuery("select count(*) from weir." + table + " where org = " + organisation)) {
            found.next();
            return found.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_is_named_goes_and_all_else_stays(boolean mayList) throws Exception {
        try (var neighbour = new Worlds(Server.postgres().journal(), other);
                var world = new Worlds(Server.postgres().journal(), org)) {
            start(neighbour);
            neighbour.claim(3);
            start(world);
            List<Assignment> claims = world.claim(3);
            var tenure = (PostgresShardOwnership) world.tenure;
            int mine = tenure.number(org);
            int theirs = ((PostgresShardOwnership) neighbour.tenure).number(other);
            var writes = new RowWrites(true, tenure::sheets);
            Assignment given = claims.getFirst();
            writes.deleteClaim(
                    mine,
                    new UnitKey(number(world, given), (short) 0, UnitId.NO_ITEM),
                    given.claim().fence());
            Assignment fenced = claims.get(1);
            writes.deleteClaim(
                    mine,
                    new UnitKey(number(world, fenced), (short) 0, UnitId.NO_ITEM),
                    fenced.claim().fence() + 1);
            writes.deleteRun(mine, number(world, given));
            writes.commit(new PipelinedTransaction(tenure.connection), mayList);
            assertThat(count("claims", mine)).as("of another fence stays").isEqualTo(2);
            assertThat(count("runs", mine)).isEqualTo(3);
            assertThat(count("claims", theirs)).isEqualTo(3);
            assertThat(count("runs", theirs)).isEqualTo(4);
        }
    }
}
