package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the notices. */
class NoticesPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    @Test
    void a_limit_that_fills_up_appears_without_a_reload_and_links_to_it() throws InterruptedException {
        CONSOLE.client().apply("one_at_a_time", """
                workflow: one_at_a_time
                limits: { max_concurrent_runs: 1 }
                steps:
                  - { id: wait, gate: {} }
                """);
        Locator main = CONSOLE.open("/notices");
        CONSOLE.client().start("one_at_a_time", "fills-the-limit", null);
        Locator notice = main.locator("[role=row]").filter(new Locator.FilterOptions().setHasText("one_at_a_time"));
        assertThat(notice).hasCount(1); // the warning is left out: the limit is full
        assertThat(notice).containsText("critical");
        assertThat(notice).containsText("its only place in use");
        Locator link = notice.getByRole(AriaRole.LINK);
        assertThat(link).hasAttribute("href", "/limits?workflow=one_at_a_time");

        main.getByLabel("severity").selectOption("warning");
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*severity=warning"));
        assertThat(notice).containsText("1 of 1 place in use");
        main.getByLabel("state").selectOption("closed");
        assertThat(notice).hasCount(0);
        CONSOLE.tab.assertNoFaults();
    }
}
