package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.OrganisationAdministration.CreatedOrganisation;
import dev.weir.api.OrganisationAdministration.OrganisationRequest;
import dev.weir.api.OrganisationAdministration.OrganisationView;
import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.OrganisationAdministration.RenameRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.WireJson;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.WorkClaim;
import dev.weir.client.Administration;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.Governance.AuditChain;
import dev.weir.client.RequestFailed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R4.9")
class OrganisationsEndToEndTest {
    private static Client client(NodeDriver driver, String token) {
        return new Client(Connection.to(driver.node.launch.url(), token).withRetryTimeout(Duration.ofSeconds(20)));
    }

    private static List<WorkClaim> claim(Client client) throws InterruptedException {
        String request = UUID.randomUUID().toString();
        return client.claim(new ClaimRequest(
                        List.of(ModuleInfo.of("shop.m")), null, null, 5, "1s", "5m", request, "worker"))
                .claims();
    }

    private static int status(NodeDriver.ClientRequest request, Client client) throws Exception {
        try {
            request.send(client);
            return 200;
        } catch (RequestFailed.Refused e) {
            return e.problem().status();
        }
    }

    @Test
    void a_suspension_a_pause_and_a_new_name_survive_kills_and_lose_nothing() throws Exception {
        try (var driver = new NodeDriver("organisations", List.of())) {
            CreatedOrganisation created = WireJson.LENIENT.readValue(
                    driver.runCommand("orgs", "create", "shop", "-o", "json"), CreatedOrganisation.class);
            Client shop = client(driver, created.token().token());
            Administration admin = driver.client.governance().administration();
            assertThat(status(c -> admin.create(new OrganisationRequest("shop", null)), driver.client))
                    .as("created once")
                    .isEqualTo(409);
            shop.apply("ship", "workflow: ship\nsteps: [{id: a, uses: shop.m}, {id: b, uses: shop.m, needs: [a]}]");
            shop.start(StartRunRequest.of("ship", "r", null));
            WorkClaim running = claim(shop).get(0);

            assertThat(driver.runCommand("orgs", "suspend", "shop", "--reason", "unpaid"))
                    .contains("shop: suspended since", "unpaid");
            driver.node.restart();
            OrganisationView view = admin.organisation("shop");
            assertThat(view.state()).isEqualTo("suspended");
            assertThat(admin.suspend("shop", new ReasonRequest("again"))).isEqualTo(view);
            assertThat(status(c -> c.start(StartRunRequest.of("ship", "s", null)), shop))
                    .isEqualTo(409);
            assertThat(shop.update(new UpdateRequest(List.of(ModuleStatusUpdate.completed(running, null))))
                            .results()
                            .get(0)
                            .outcome())
                    .isEqualTo("applied");
            assertThat(claim(shop)).isEmpty();
            driver.node.restart();
            assertThat(claim(shop)).isEmpty();

            assertThat(driver.runCommand("orgs", "resume", "shop")).isEqualTo("shop: active");
            admin.rename("shop", new RenameRequest("big-shop", "grown"));
            driver.node.restart();
            assertThat(claim(shop)).extracting(WorkClaim::step).containsExactly("b");
            assertThat(driver.runCommand("orgs", "list")).contains("big-shop").doesNotContain(" shop ");
            assertThat(status(c -> admin.create(new OrganisationRequest("shop", null)), driver.client))
                    .as("a former name stays taken")
                    .isEqualTo(409);
            assertThat(driver.runCommand("audit", "--administration"))
                    .contains("suspend_organisation", "resume_organisation", "rename_organisation");
            assertThat(driver.client
                            .governance()
                            .verify(AuditChain.ADMINISTRATION, Map.of())
                            .intact())
                    .isTrue();
        }
    }

    @Test
    void a_renamed_organisation_goes_on_without_a_restart_and_a_paused_workflow_stays_paused() throws Exception {
        try (var driver = new NodeDriver("renamed", List.of())) {
            Administration admin = driver.client.governance().administration();
            Client shop = client(
                    driver,
                    admin.create(new OrganisationRequest("shop", null)).token().token());
            shop.apply("ship", "workflow: ship\nsteps: [{id: a, uses: shop.m}]");
            shop.start(StartRunRequest.of("ship", "r", null));
            admin.rename("shop", new RenameRequest("big-shop", null));
            assertThat(claim(shop)).extracting(WorkClaim::run).containsExactly("r");
            driver.apply("bill", "steps: [{id: a, uses: m}]");
            assertThat(driver.runCommand("workflows", "pause", "bill")).isEqualTo("bill: paused");
            driver.node.restart();
            driver.start("bill", "b", null);
            assertThat(driver.client.run("b").state()).isEqualTo("queued");
            assertThat(driver.runCommand("workflows", "list")).contains("bill", "paused");
            driver.runCommand("workflows", "open", "bill");
            driver.await("it starts", () -> driver.client.run("b").state().equals("running"));
        }
    }
}
