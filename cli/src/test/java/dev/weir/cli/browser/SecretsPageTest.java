package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the secrets. */
class SecretsPageTest {
    private static final String VALUE = "correct horse battery staple";

    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("admin");

    @Test
    void a_secret_is_set_replaced_and_deleted_and_never_shown() throws InterruptedException {
        CONSOLE.open("/secrets");
        CONSOLE.button("Set a secret…").click();
        CONSOLE.dialog().getByLabel("Name:").fill("PAYMENT_TOKEN");
        CONSOLE.dialog().getByLabel("Value.").fill(VALUE);
        CONSOLE.confirm("Set", "the bank gave it");
        assertThat(CONSOLE.row("PAYMENT_TOKEN")).hasCount(1);
        CONSOLE.assertAudited("set_secret", "secret:PAYMENT_TOKEN", "the bank gave it");

        CONSOLE.button("Replace PAYMENT_TOKEN").click();
        CONSOLE.dialog().getByLabel("Value.").fill(VALUE + "!");
        CONSOLE.confirm("Replace", "it leaked");
        assertThat(CONSOLE.tab.page.getByText("(version 2)")).isVisible();
        CONSOLE.assertAudited("set_secret", "secret:PAYMENT_TOKEN", "it leaked");
        assertThat(CONSOLE.tab.page.content()).doesNotContain(VALUE);

        CONSOLE.button("Delete PAYMENT_TOKEN").click();
        CONSOLE.confirm("Delete", "unused");
        assertThat(CONSOLE.row("PAYMENT_TOKEN")).hasCount(0);
        CONSOLE.assertAudited("delete_secret", "secret:PAYMENT_TOKEN", "unused");
        CONSOLE.tab.assertNoFaults();
    }
}
