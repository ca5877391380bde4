package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import dev.weir.api.OrganisationAdministration.OrganisationRequest;
import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.Secrets.SecretRequest;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.client.Governance;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Every page of the console, on a node with the demo. The pictures are in {@code target/screenshots}. */
class PagesTest {
    private static final int DEMO_SHOWS_ALL_MS = 60_000;

    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void openTheConsole() throws IOException, InterruptedException {
        chromium = Chromium.launch();
        node = new ConsoleNode("pages", "--demo");
        addRecords(node.client.governance());
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
        awaitTheDeadLettersOfTheDemo();
    }

    /** Adds what the demo does not have: tokens, secrets, and other organisations. */
    private static void addRecords(Governance governance) throws InterruptedException {
        governance.createToken(new TokenRequest("billing-worker", "worker", null, null, "90d", "the new bank"));
        governance.createToken(
                new TokenRequest("dashboard", "viewer", List.of("audit.read"), null, null, "a screen on the wall"));
        governance.setSecret(
                "PAYMENT_TOKEN",
                new SecretRequest(JsonNodeFactory.instance.stringNode("for the picture"), "from the bank"));
        governance.administration().create(new OrganisationRequest("bakery", "a new customer"));
        governance.administration().create(new OrganisationRequest("bookshop", "a new customer"));
        governance.administration().suspend("bookshop", new ReasonRequest("unpaid since March"));
    }

    private static void awaitTheDeadLettersOfTheDemo() {
        tab.open("/dead-letters");
        Locator letters = tab.page.locator(".body [role=row]");
        assertThat(letters).hasCount(2, new HasCountOptions().setTimeout(DEMO_SHOWS_ALL_MS));
    }

    @AfterAll
    static void close() {
        Closing.all(tab, node, chromium);
    }

    @ParameterizedTest
    @CsvSource({
        "/, Overview, overview",
        "/runs, Runs, runs",
        "/runs?run=order-1001, Runs, run-that-waits-for-approval",
        "/runs?run=order-1002, Runs, run-that-failed",
        "/flow-control, FlowControl, flow-control",
        "/flow-control?key=payment-api, FlowControl, key",
        "/limits, Limits, limits",
        "/limits?workflow=order_fulfillment, Limits, limits-of-workflow",
        "/workflows, Workflows, workflows",
        "/workflows?workflow=order_fulfillment, Workflows, workflow",
        "/workers, Workers, workers",
        "/events, Events, events",
        "/events?show=shipped-998, Events, event",
        "/events?view=triggers, Events, triggers",
        "/events?view=schedules, Events, schedules",
        "/dead-letters, Dead letters, dead-letters",
        "/dead-letters?letter=1, Dead letters, dead-letter",
        "/notices, Notices, notices",
        "/audit, Audit, audit",
        "/audit?entry=4, Audit, audit-entry",
        "/audit?verify=open, Audit, audit-verification",
        "/tokens, Tokens, tokens",
        "/secrets, Secrets, secrets",
        "/organisations, Organisations, organisations"
    })
    void a_page_is_readable_in_all_sizes_and_colours(String address, String title, String picture) throws IOException {
        Pictures.take(tab, address, picture);
        assertThat(tab.page.locator("h1")).hasText(title);
    }
}
