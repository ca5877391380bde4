package dev.weir.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.StartRun;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.OrganisationHarness;
import dev.weir.postgres.TestPostgres;
import dev.weir.postgres.sql.PipelinedTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that runs and claims are deleted one by one or by list: exactly the given ones. */
class DeletesTest {
    private final String org = TestPostgres.createOrganisation();
    private final String other = TestPostgres.createOrganisation();

    private static void start(OrganisationHarness harness) {
        for (int i = 0; i < 4; i++) {
            harness.commit(StartRun.of("r" + i, harness.plan, OrganisationHarness.json("{}")));
        }
    }

    private static long number(OrganisationHarness harness, Assignment assignment) {
        return harness.ownership.load(harness.org).runs().stream()
                .filter(run -> run.id().equals(assignment.claim().unit().run()))
                .findFirst()
                .orElseThrow()
                .number();
    }

    private static long count(String table, int organisation) throws SQLException {
        try (var connection = TestPostgres.address().connect("deletes", Duration.ofSeconds(10));
                var statement = connection.createStatement();
                var found =
                        statement.executeQuery("select count(*) from weir." + table + " where org = " + organisation)) {
            found.next();
            return found.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void only_the_named_rows_are_deleted(boolean canDeleteByList) throws Exception {
        try (var otherHarness = new OrganisationHarness(TestPostgres.postgres().journal(), other);
                var harness = new OrganisationHarness(TestPostgres.postgres().journal(), org)) {
            start(otherHarness);
            otherHarness.claim(3);
            start(harness);
            List<Assignment> claims = harness.claim(3);
            var ownership = (PostgresShardOwnership) harness.ownership;
            int mine = ownership.number(org);
            int theirs = ((PostgresShardOwnership) otherHarness.ownership).number(other);
            var writes = new RowWrites(true, ownership::pages);
            Assignment given = claims.getFirst();
            writes.deleteClaim(
                    mine,
                    new UnitKey(number(harness, given), (short) 0, UnitId.NO_ITEM),
                    given.claim().fence());
            Assignment fenced = claims.get(1);
            writes.deleteClaim(
                    mine,
                    new UnitKey(number(harness, fenced), (short) 0, UnitId.NO_ITEM),
                    fenced.claim().fence() + 1);
            writes.deleteRun(mine, number(harness, given));
            writes.commit(new PipelinedTransaction(ownership.connection), canDeleteByList);
            assertThat(count("claims", mine)).as("other fences stay").isEqualTo(2);
            assertThat(count("runs", mine)).isEqualTo(3);
            assertThat(count("claims", theirs)).isEqualTo(3);
            assertThat(count("runs", theirs)).isEqualTo(4);
        }
    }
}
