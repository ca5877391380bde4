package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Keys.KeyRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A page whose live updates the user has paused. */
class PausedUpdatesTest {
    private static final long TEN_MINUTES = 600_000;

    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    @Test
    void a_paused_page_sends_nothing_and_shows_nothing_new() throws InterruptedException {
        CONSOLE.client().operate("pause", new KeyRequest("paused-page-1", null, null));
        CONSOLE.tab.page.clock().install();
        Locator main = CONSOLE.open("/flow-control?prefix=paused-page");
        assertThat(main).containsText("paused-page-1");
        Locator status = CONSOLE.tab.page.locator("button.live");
        status.click();
        assertThat(status).hasText("‖ paused");
        List<String> sent = new CopyOnWriteArrayList<>();
        CONSOLE.tab.page.onRequest(request -> sent.add(request.url()));

        CONSOLE.client().operate("pause", new KeyRequest("paused-page-2", null, null));
        String before = CONSOLE.tab.page.locator("body").innerText();
        CONSOLE.tab.page.clock().runFor(TEN_MINUTES);
        assertThat(CONSOLE.tab.page.locator("body").innerText()).isEqualTo(before);
        assertThat(sent).isEmpty();

        status.click();
        assertThat(main).containsText("paused-page-2");
        assertThat(sent).isNotEmpty();
        CONSOLE.tab.page.clock().resume();
    }
}
