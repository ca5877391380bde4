package dev.weir.cli.endtoend;

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
            try (var driver = new NodeDriver("inbox", List.of("--database", url));
                    var program = postgres.dataSource().getConnection()) {
                assertThat(driver.runCommand("refused")).startsWith("no refused starts");
                driver.apply("ship", "steps: [{id: a, uses: ship.m}]");
                insertStart(program, "order-1", "ship", "{}");
                insertStart(program, "order-2", "shpi", "{}");
                driver.await("a refusal", () -> !refused(driver).isEmpty());
                driver.node.kill();
                insertStart(program, "order-1", "ship", "{'other': 'body'}");
                insertStart(program, "order-3", "ship", "{}");
                insertStart(program, "order-4", "ship", "'a\\u0000'");
                driver.node.start();
                driver.await("all refusals", () -> refused(driver).size() == 3);
                driver.await(
                        "the last run",
                        () -> driver.client.runs(Map.of()).runs().size() == 2);
                driver.node.restart();
                assertThat(refused(driver))
                        .extracting(start -> start.run() + " " + start.workflow() + " " + start.reason())
                        .containsExactly(
                                "order-4 ship refused", "order-1 ship conflict", "order-2 shpi unknown_workflow");
                assertThat(refused(driver)).extracting(RefusedStart::by).containsOnly(postgres.user());
                assertThat(driver.runCommand("refused"))
                        .contains("unknown_workflow: workflow not found: shpi; did you mean 'ship'?", "U+0000");
                assertThat(driver.runCommand("refused", "-o", "json")).contains("\"reason\" : \"conflict\"");
                driver.complete(driver.claim("ship.m"), "1");
                driver.awaitEnd("order-1", "completed");
            }
        }
    }

    private static List<RefusedStart> refused(NodeDriver driver) throws InterruptedException {
        return driver.client.operations().refusedStarts(null).refusedStarts();
    }

    private static void insertStart(Connection program, String run, String workflow, String input) throws Exception {
        Inbox.startIn(program, "default", StartRequest.of(run, workflow, NodeDriver.json(input)));
    }
}
