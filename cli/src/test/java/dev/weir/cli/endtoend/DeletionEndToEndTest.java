package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.OrganisationAdministration.DeletionRequest;
import dev.weir.api.OrganisationAdministration.OrganisationRequest;
import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Administration;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.RequestFailed;
import dev.weir.postgres.embedded.EmbeddedPostgres;
import dev.weir.postgres.embedded.EmbeddedSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionEndToEndTest {
    private static final String PAYLOAD = "open-sesame-4711";
    private static final int MORE_ROWS = 60_000;

    @Test
    void all_data_of_an_organisation_and_of_a_run_is_deleted_in_parts_across_kills() throws Exception {
        var parent =
                Path.of("target", "deletion-" + ProcessHandle.current().pid()).toAbsolutePath();
        Files.createDirectories(parent);
        // PostgreSQL may run under another account, which must be able to traverse the folder.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var postgres = EmbeddedPostgres.open(parent.resolve("postgres"), EmbeddedSettings.DEFAULT);
                var database = postgres.dataSource().getConnection()) {
            String url = postgres.jdbcUrl() + "?user=" + postgres.user() + "&password=" + postgres.password();
            try (var driver = new NodeDriver("deletion", List.of("--database", url))) {
                Administration admin = driver.client.governance().administration();
                String token = admin.create(new OrganisationRequest("shop", null))
                        .token()
                        .token();
                var shop = new Client(Connection.to(driver.node.launch.url(), token));
                for (Client client : List.of(shop, driver.client)) {
                    client.apply("ship", "workflow: ship\nsteps: [{id: a, uses: ship.m}]");
                    client.start(StartRunRequest.of("ship", "r", NodeDriver.json("{'text': '" + PAYLOAD + "'}")));
                    client.cancel("r", new CancelRequest(null, "over"));
                }
                try (var insert = database.createStatement()) {
                    insert.execute("insert into weir.dead_letters (number, at, org, kind, reason, subject, message)"
                            + " select n, 1, organisations.number, 'e', 'r', 'x', '" + PAYLOAD + "'"
                            + " from weir.organisations, generate_series(1, " + MORE_ROWS + ") as n"
                            + " where name = 'shop'");
                }

                deleteRun(driver, database);
                deleteOrganisation(driver, shop, database);
            }
        }
    }

    private static void deleteRun(NodeDriver driver, java.sql.Connection database) throws Exception {
        driver.runCommand("delete", "r", "--confirm", "r", "--reason", "a request of the customer");
        driver.node.restart();
        driver.await(
                "the run is gone",
                () -> driver.client.governance().deletions().deletions().stream()
                        .allMatch(deletion -> deletion.state().equals("completed")));
        driver.assertRefused(404, client -> client.run("r"));
        assertThat(SecretsEndToEndTest.rowsWith(database, PAYLOAD))
                .as("the run of the other organisation stays")
                .isNotEmpty()
                .noneMatch(row -> row.startsWith("run_ids") && row.contains("(1,1,"));
        driver.start("ship", "r", "{'text': 'new'}");
        assertThat(driver.client.run("r").state()).as("the id is free again").isEqualTo("running");
    }

    private static void deleteOrganisation(NodeDriver driver, Client shop, java.sql.Connection database)
            throws Exception {
        Administration admin = driver.client.governance().administration();
        admin.suspend("shop", new ReasonRequest("the contract ended"));
        admin.delete("shop", new DeletionRequest("shop", "the contract ended"));
        driver.await("a first part", () -> rows(driver) > 0);
        driver.node.restart();
        driver.await(
                "the end",
                () -> driver.client.governance().administration().deletions().deletions().stream()
                        .allMatch(deletion -> deletion.state().equals("completed")));
        assertThat(rows(driver)).isGreaterThan(MORE_ROWS);
        assertThat(SecretsEndToEndTest.rowsWith(database, PAYLOAD)).isEmpty();
        assertThat(status(shop)).isEqualTo(401);
        driver.assertRefused(
                409, client -> client.governance().administration().create(new OrganisationRequest("shop", null)));
        assertThat(driver.runCommand("orgs", "list")).doesNotContain("shop");
        assertThat(driver.runCommand("audit", "--administration")).contains("delete_organisation");
        assertThat(driver.runCommand("deletions", "--organisations")).contains("organisation shop", "completed");
    }

    private static long rows(NodeDriver driver) throws InterruptedException {
        return driver.client
                .governance()
                .administration()
                .deletions()
                .deletions()
                .get(0)
                .rows();
    }

    private static int status(Client client) throws InterruptedException {
        try {
            client.health();
            client.run("r");
            return 200;
        } catch (RequestFailed.Refused e) {
            return e.problem().status();
        }
    }
}
