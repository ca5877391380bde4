package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Audits.ChainCheck;
import dev.weir.api.Audits.EntryView;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Tokens.NewToken;
import dev.weir.api.Tokens.TokenView;
import dev.weir.api.WireJson;
import dev.weir.client.Client;
import dev.weir.client.Connection;
import dev.weir.client.Governance.AuditChain;
import dev.weir.client.RequestFailed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests tokens, roles and the audit on a real node that is killed in between. */
@Tag("R3.7")
@Tag("R4.8")
@Tag("S7")
class GovernanceEndToEndTest {
    private static NewToken create(NodeDriver driver, String... arguments) throws Exception {
        String[] command = new String[arguments.length + 4];
        command[0] = "tokens";
        command[1] = "create";
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        command[command.length - 2] = "-o";
        command[command.length - 1] = "json";
        return WireJson.LENIENT.readValue(driver.runCommand(command), NewToken.class);
    }

    private static Client client(NodeDriver driver, NewToken token) {
        return new Client(Connection.to(driver.node.launch.url(), token.token()).withRetryTimeout(Duration.ZERO));
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
    void tokens_roles_and_the_audit_survive_a_kill() throws Exception {
        try (var driver = new NodeDriver("governance", List.of())) {
            driver.apply("ship", "steps: [{id: a, uses: ship.m}]");
            NewToken shop = create(driver, "shop", "--role", "starter");
            NewToken ops = create(driver, "ops", "--role", "operator", "--expires-in", "90d");
            NewToken gone = create(driver, "gone", "--role", "viewer");
            driver.runCommand("tokens", "revoke", "gone", "--reason", "lost");
            NewToken rotated = WireJson.LENIENT.readValue(
                    driver.runCommand("tokens", "rotate", "ops", "-o", "json"), NewToken.class);
            client(driver, shop).start(StartRunRequest.of("ship", "r", null));
            driver.runCommand("keys", "billing", "pause", "--reason", "the provider is down");
            String head = driver.client
                    .governance()
                    .verify(AuditChain.ORGANISATION, Map.of())
                    .head();
            driver.node.restart();

            assertThat(driver.client.run("r").startedBy()).isEqualTo("shop");
            assertThat(status(client -> client.runs(Map.of()), client(driver, shop)))
                    .isEqualTo(200);
            assertThat(status(client -> client.pause("r"), client(driver, shop)))
                    .isEqualTo(403);
            assertThat(status(client -> client.pause("r"), client(driver, rotated)))
                    .isEqualTo(200);
            assertThat(status(client -> client.runs(Map.of()), client(driver, ops)))
                    .isEqualTo(401);
            assertThat(status(client -> client.runs(Map.of()), client(driver, gone)))
                    .isEqualTo(401);

            List<EntryView> entries = driver.client
                    .governance()
                    .audit(AuditChain.ORGANISATION, Map.of())
                    .entries();
            assertThat(entries)
                    .extracting(entry ->
                            entry.action() + " " + entry.target() + " by " + entry.actor() + " from " + entry.origin())
                    .containsExactly(
                            "pause_run run:r by ops from api",
                            "pause_key key:billing by weir up from cli",
                            "rotate_token token:ops by weir up from cli",
                            "revoke_token token:gone by weir up from cli",
                            "create_token token:gone by weir up from cli",
                            "create_token token:ops by weir up from cli",
                            "create_token token:shop by weir up from cli",
                            "register_workflow workflow:ship by weir up from api");
            assertThat(driver.runCommand("audit", "--target", "key:billing"))
                    .contains("pause_key", "the provider is down");
            assertThat(driver.runCommand("audit", "verify", "--head", head))
                    .contains("intact: 8 entries checked", "nothing was removed from the end");
            assertThat(driver.runCommand("audit", "verify")).contains("unproved", "head: 8:");
            ChainCheck administration = driver.client.governance().verify(AuditChain.ADMINISTRATION, Map.of());
            assertThat(administration.intact()).isTrue();
            assertThat(administration.checked()).isGreaterThan(1);
            assertThat(driver.runCommand("audit", "--administration")).contains("create_organisation");
        }
    }

    @Test
    void the_last_use_of_a_token_is_shown_after_the_node_has_stopped() throws Exception {
        try (var driver = new NodeDriver("last-use", List.of())) {
            NewToken shop = create(driver, "shop", "--role", "viewer");
            client(driver, shop).runs(Map.of());
            driver.node.close();
            driver.node.start();
            List<TokenView> tokens = driver.client.governance().tokens(Map.of()).tokens();
            assertThat(tokens).extracting(TokenView::name).containsExactly("shop", "weir up");
            assertThat(tokens).allMatch(token -> token.lastUsedAt() != null);
            assertThat(driver.runCommand("tokens", "list")).contains("admin + administrator", "viewer");
        }
    }
}
