package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Audits.EntryView;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.client.Client;
import dev.weir.client.Governance.AuditChain;
import dev.weir.client.Handler;
import dev.weir.client.Worker;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the dead letters. */
class DeadLettersPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("operator");

    private static void awaitRow(String address, String subject) {
        CONSOLE.open(address);
        assertThat(CONSOLE.row(subject)).hasCount(1);
    }

    @Test
    void a_failed_run_is_redriven_once_its_cause_is_gone() throws InterruptedException {
        Client client = CONSOLE.client();
        var isOpen = new AtomicBoolean();
        client.apply("paid_order", """
                workflow: paid_order
                steps:
                  - { id: pay, uses: letters.pay, flow_control: { key: bank, parallelism: 5 } }
                """);
        Worker worker = Worker.of(client)
                .module("letters.pay", job -> {
                    if (!isOpen.get()) {
                        throw new Handler.Permanent("the bank is closed");
                    }
                    return null;
                })
                .name("letters")
                .start();
        try {
            client.start("paid_order", "order-closed-bank", null);
            awaitRow("/dead-letters?workflow=paid_order&key=bank", "order-closed-bank");
            CONSOLE.link("order-closed-bank").click();
            assertThat(CONSOLE.tab.page.locator("main .problem")).containsText("the bank is closed");
            isOpen.set(true);
            CONSOLE.button("Redrive…").click();
            CONSOLE.confirm("Redrive", "the bank has opened");
            Locator main = CONSOLE.tab.page.locator("main");
            assertThat(main).containsText("redriven");
            assertThat(CONSOLE.link("order-closed-bank.retry-1"))
                    .hasAttribute("href", "/runs?run=order-closed-bank.retry-1");
            assertThat(client.awaitEnd("order-closed-bank.retry-1", null).state())
                    .isEqualTo("completed");
        } finally {
            worker.close();
        }
        CONSOLE.tab.assertNoFaults();
        assertRedriven();
    }

    private static void assertRedriven() throws InterruptedException {
        EntryView redrive = CONSOLE.client()
                .governance()
                .audit(AuditChain.ORGANISATION, Map.of("action", "redrive_dead_letter"))
                .entries()
                .getFirst();
        assertThat(redrive.reason()).isEqualTo("the bank has opened");
        assertThat(redrive.origin()).isEqualTo("console");
    }

    @Test
    void a_cascade_shows_its_whole_chain_and_is_discarded() throws InterruptedException {
        CONSOLE.client().apply("echo", """
                workflow: echo
                limits: { max_cascade_depth: 4 }
                triggers:
                  - { id: again, event: echo.sent }
                steps:
                  - { id: send, emit: { event: echo.sent, data: {} } }
                """);
        CONSOLE.client().events().send(SendEventRequest.of("first-echo", "echo.sent", null));
        CONSOLE.open("/dead-letters?kind=cascade&workflow=echo");
        Locator letter = CONSOLE.tab.page.locator("[role=row] [role=cell].first a");
        assertThat(letter).hasCount(1);
        letter.click();
        Locator chain = CONSOLE.tab.page.locator("ol.chain li");
        assertThat(chain.first()).containsText("first-echo");
        assertThat(chain.last()).containsText("no run of echo was started");
        assertThat(chain.locator("a").count()).isGreaterThan(3); // events and runs in turn
        CONSOLE.button("Discard…").click();
        CONSOLE.confirm("Discard", "an experiment");
        assertThat(CONSOLE.tab.page.locator("main")).containsText("discarded");
        EntryView entry = CONSOLE.client()
                .governance()
                .audit(AuditChain.ORGANISATION, Map.of("action", "discard_dead_letter"))
                .entries()
                .getFirst();
        assertThat(entry.reason()).isEqualTo("an experiment");
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void all_that_match_are_discarded_after_a_preview() throws InterruptedException {
        Client client = CONSOLE.client();
        client.apply("strict", """
                workflow: strict
                triggers:
                  - { id: on_order, event: strict.order, input: { order: "${{ event.data.order }}" } }
                steps:
                  - { id: wait, gate: {} }
                """);
        for (int i = 1; i <= 3; i++) {
            client.events().send(SendEventRequest.of("incomplete-" + i, "strict.order", null));
        }
        awaitRow("/dead-letters?kind=event&workflow=strict", "incomplete-3");
        CONSOLE.button("Discard all…").click();
        assertThat(CONSOLE.dialog()).containsText("3 dead letters match.");
        CONSOLE.dialog().getByLabel("Reason, kept in the audit").fill("the shop sent them by mistake");
        CONSOLE.button("Discard 3 dead letters").click();
        assertThat(CONSOLE.dialog()).containsText("Done: 3 dead letters changed.");
        CONSOLE.button("Close").click();
        assertThat(CONSOLE.tab.page.locator("main")).containsText("No dead letter matches the filters.");
        for (EntryView entry : client.governance()
                .audit(AuditChain.ORGANISATION, Map.of("action", "discard_dead_letter", "limit", "3"))
                .entries()) {
            assertThat(entry.reason()).contains("the shop sent them by mistake");
        }
        CONSOLE.tab.assertNoFaults();
    }
}
