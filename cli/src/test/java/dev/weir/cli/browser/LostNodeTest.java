package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import dev.weir.api.Keys.KeyRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A page that is open while its node is killed and started again. */
@Tag("S7")
class LostNodeTest {
    /** The page asks every second and a half, and a node needs some seconds to start. */
    private static final int RECOVERY_MAX_MILLIS = 60_000;

    @Test
    void the_page_says_that_the_node_is_lost_and_recovers_by_itself() throws Exception {
        try (Chromium chromium = Chromium.launch();
                var node = new ConsoleNode("lost");
                var tab = new ConsoleTab(chromium, node.url())) {
            node.client.operate("pause", new KeyRequest("before-the-kill", null, null));
            tab.signIn(node.token());
            tab.open("/flow-control");
            Locator main = tab.page.locator("main");
            assertThat(main).containsText("before-the-kill");
            assertThat(tab.page.locator("button.live")).hasText("● live");
            tab.page.evaluate("window.isTheSamePage = true");

            node.kill();
            var patience = new ContainsTextOptions().setTimeout(RECOVERY_MAX_MILLIS);
            assertThat(tab.page.locator("button.live")).containsText("reconnecting", patience);
            assertThat(tab.page.getByText("The node does not respond.")).isVisible();
            assertThat(main).containsText("before-the-kill");
            tab.shoot("lost-node");

            node.start();
            node.client.operate("pause", new KeyRequest("after-the-kill", null, null));
            assertThat(tab.page.locator("button.live")).containsText("live", patience);
            assertThat(main).containsText("after-the-kill", patience);
            assertThat(tab.page.evaluate("window.isTheSamePage"))
                    .as("the page was not loaded again")
                    .isEqualTo(true);
            assertThat(tab.page.getByText("The node does not respond.")).hasCount(0);
        }
    }
}
