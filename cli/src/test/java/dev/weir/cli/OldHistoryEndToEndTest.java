package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.RequestFailed;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import dev.weir.postgres.sql.SqlStatements;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests a node that keeps history for 30 days and did not run for 60 days. */
class OldHistoryEndToEndTest {
    private static final Duration KEPT = Duration.ofDays(30);
    private static final SqlStatements SQL = SqlStatements.of(OldHistoryEndToEndTest.class);

    @Test
    void runs_that_ended_long_ago_are_gone_and_those_that_live_go_on() throws Exception {
        var node = RunningNode.withHistory("old-history", KEPT);
        node.client.apply("say", "workflow: say\nsteps: [ { id: say, emit: { event: said, data: {} } } ]");
        node.client.apply("wait", """
                workflow: wait
                steps:
                  - { id: say, emit: { event: said, data: {} } }
                  - { id: go, needs: [say], wait_for: { signal: go } }
                """);
        node.client.start(StartRunRequest.of("say", "gone", null));
        node.client.start(StartRunRequest.of("wait", "living", null));
        assertThat(node.awaitEnd("gone").state()).isEqualTo("completed");
        node.close();
        age(node);

        node = RunningNode.withHistory("old-history", KEPT);
        try (var again = node) {
            assertThatThrownBy(() -> again.client.run("gone"))
                    .isInstanceOfSatisfying(RequestFailed.Refused.class, refused -> {
                        assertThat(refused.problem().status()).isEqualTo(404);
                        assertThat(refused.getMessage())
                                .contains("run not found: gone; this node keeps runs for 30d after they end");
                    });
            assertThat(again.client
                            .start(StartRunRequest.of("say", "gone", null))
                            .created())
                    .as("the id is free again")
                    .isTrue();
            var living = again.client.run("living");
            assertThat(living.steps()).extracting(step -> step.state()).containsExactly("completed", "waiting");
            again.client.signal("living", "go", JsonNodeFactory.instance.objectNode());
            assertThat(again.awaitEnd("living").state()).isEqualTo("completed");
        }
    }

    private static void age(RunningNode node) throws Exception {
        try (var postgres = EmbeddedPostgres.open(node.data, EmbeddedSettings.DEFAULT);
                var connection = postgres.dataSource().getConnection()) {
            for (String name : List.of("age_runs", "age_run_history", "age_step_history")) {
                try (var statement = connection.prepareStatement(SQL.get(name))) {
                    statement.setLong(1, TimeUnit.DAYS.toMicros(60));
                    statement.setLong(2, TimeUnit.DAYS.toMicros(60));
                    assertThat(statement.executeUpdate()).as(name).isPositive();
                }
            }
        }
    }
}
