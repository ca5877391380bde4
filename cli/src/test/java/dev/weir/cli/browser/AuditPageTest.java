package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.client.Client;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the audit. */
class AuditPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("operator");

    @Test
    void a_change_shows_what_was_and_what_is_and_who_changed_it_why() throws InterruptedException {
        Client client = CONSOLE.client();
        client.pin(PinRequest.of("audited-key", 3, null, null));
        client.pin(PinRequest.of("audited-key", 5, null, null));
        client.operate("pause", new KeyRequest("audited-key", "the provider is down", null));
        CONSOLE.open("/audit");
        CONSOLE.tab.page.getByLabel("target").fill("key:audited-key");
        Locator rows = CONSOLE.tab.page.locator(".body [role=row]");
        assertThat(rows).hasCount(3);
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*target=key%3Aaudited-key"));
        assertThat(rows.first()).containsText("the provider is down");
        assertThat(rows.nth(1).locator("del")).containsText("3");
        assertThat(rows.nth(1).locator("ins")).containsText("5");
        CONSOLE.tab.page.getByLabel("action").selectOption("pause_key");
        assertThat(rows).hasCount(1);
        rows.first().locator("a").first().click();
        assertThat(CONSOLE.dialog()).containsText("pause key");
        assertThat(CONSOLE.dialog()).containsText("the provider is down");
        CONSOLE.tab.page.keyboard().press("Escape");
        assertThat(CONSOLE.dialog()).hasCount(0);
        CONSOLE.tab.page.getByLabel("time").selectOption("1h");
        assertThat(rows).hasCount(1);
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void the_chain_is_intact_and_its_end_is_proved_by_a_head_noted_earlier() {
        CONSOLE.open("/audit");
        CONSOLE.button("Verify the chain…").click();
        Locator panel = CONSOLE.tab.page.locator(".verify");
        CONSOLE.button("Verify").click();
        assertThat(panel).containsText("intact");
        assertThat(panel).containsText("the end is unproved");
        String head = panel.locator(".chain-findings .id button")
                .getAttribute("aria-label")
                .substring("Copy ".length());
        panel.getByLabel("Head noted earlier (optional)").fill(head);
        CONSOLE.button("Verify").click();
        assertThat(panel).containsText("nobody removed entries from the end");
        panel.getByLabel("Head noted earlier (optional)").fill("12");
        CONSOLE.button("Verify").click();
        assertThat(panel.locator(".problem")).containsText("COUNT:HASH");
    }
}
