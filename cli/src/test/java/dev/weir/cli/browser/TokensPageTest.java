package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.client.Client;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the API tokens. */
class TokensPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("admin");

    private static void create(String name, String role) {
        CONSOLE.open("/tokens");
        CONSOLE.button("Create a token…").click();
        CONSOLE.dialog().getByLabel("Name, such as").fill(name);
        CONSOLE.dialog().getByLabel(role).check();
        CONSOLE.confirm("Create", "for the tests");
    }

    private static String copySecret() {
        Locator secret = CONSOLE.dialog().locator("code");
        String text = secret.textContent();
        CONSOLE.button("I have copied it").click();
        assertThat(CONSOLE.tab.page.getByText(text)).hasCount(0);
        return text;
    }

    @Test
    void a_new_token_is_shown_once_and_works() throws InterruptedException {
        create("shop-starter", "starter");
        String secret = copySecret();
        CONSOLE.assertAudited("create_token", "token:shop-starter", "for the tests");
        assertThat(CONSOLE.row("shop-starter")).containsText("starter");
        assertThat(CONSOLE.row("shop-starter")).containsText("valid");
        Client made = Client.connect(CONSOLE.url(), secret);
        assertThat(made.runs(Map.of()).runs()).isNotNull();
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void rotate_shows_another_secret_and_revoke_ends_the_token() throws InterruptedException {
        create("shop-worker", "worker");
        String first = copySecret();
        CONSOLE.choose("shop-worker", "Rotate…");
        CONSOLE.confirm("Rotate", "it was in a log");
        assertThat(copySecret()).isNotEqualTo(first);
        CONSOLE.assertAudited("rotate_token", "token:shop-worker", "it was in a log");
        CONSOLE.choose("shop-worker", "Revoke…");
        assertThat(CONSOLE.dialog()).containsText("stops working within 5 seconds");
        CONSOLE.confirm("Revoke", "the worker is gone");
        assertThat(CONSOLE.row("shop-worker")).hasCount(0);
        CONSOLE.assertAudited("revoke_token", "token:shop-worker", "the worker is gone");
    }

    @Test
    void an_admin_who_does_not_administer_the_node_cannot_give_that_right() {
        CONSOLE.open("/tokens");
        CONSOLE.button("Create a token…").click();
        assertThat(CONSOLE.dialog().getByLabel("admin")).hasCount(1);
        assertThat(CONSOLE.dialog().getByText("administer the node")).hasCount(0);
    }
}
