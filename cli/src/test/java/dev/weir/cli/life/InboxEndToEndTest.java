package dev.weir.cli.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Starts.RefusedStart;
import dev.weir.engine.request.StartRequest;
import dev.weir.postgres.Inbox;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests starts in programs' own transactions: refused ones can be listed, even after the node was killed. */
class InboxEndToEndTest {
    @Test
    void a_start_that_is_refused_can_be_seen_with_its_reason_and_survives_the_node() throws Exception {
        var parent = Path.of("target", "inbox-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var postgres = EmbeddedPostgres.open(parent.resolve("postgres"), EmbeddedSettings.DEFAULT)) {
            String url = postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
            try (var stage = new Stage("inbox", List.of("--database", url));
                    var program = postgres.dataSource().getConnection()) {
                assertThat(stage.weir("refused")).startsWith("no refused starts");
                stage.apply("ship", "steps: [{id: a, uses: ship.m}]");
                leave(program, "order-1", "ship", "{}");
                leave(program, "order-2", "shpi", "{}");
                stage.await("a refusal", () -> !refused(stage).isEmpty());
                stage.node.kill();
                leave(program, "order-1", "ship", "{'other': 'body'}");
                leave(program, "order-3", "ship", "{}");
                leave(program, "order-4", "ship", "'a\\u0000'");
                stage.node.startAgain();
                stage.await("all refusals", () -> refused(stage).size() == 3);
                stage.await(
                        "the last run", () -> stage.client.runs(Map.of()).runs().size() == 2);
                stage.node.killAndStartAgain();
                assertThat(refused(stage))
                        .extracting(start -> start.run() + " " + start.workflow() + " " + start.reason())
                        .containsExactly(
                                "order-4 ship refused", "order-1 ship conflict", "order-2 shpi unknown_workflow");
                assertThat(refused(stage)).extracting(RefusedStart::by).containsOnly(postgres.user());
                assertThat(stage.weir("refused"))
                        .contains("unknown_workflow: workflow not found: shpi; did you mean 'ship'?", "U+0000");
                assertThat(stage.weir("refused", "-o", "json")).contains("\"reason\" : \"conflict\"");
                stage.complete(stage.claim("ship.m"), "1");
                stage.ended("order-1", "completed");
            }
        }
    }

    private static List<RefusedStart> refused(Stage stage) throws InterruptedException {
        return stage.client.refusedStarts(null).refusedStarts();
    }

    private static void leave(Connection program, String run, String workflow, String input) throws Exception {
        Inbox.startIn(program, "default", StartRequest.of(run, workflow, Stage.json(input)));
    }
}
