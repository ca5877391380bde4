package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Keyboard;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the frame of every page with a token that may only read. */
class FrameTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    @Test
    void the_search_finds_workflows_and_pages() throws InterruptedException {
        CONSOLE.client().apply("searchable", """
                workflow: searchable
                steps:
                  - { id: wait, gate: {} }
                """);
        CONSOLE.open("/notices");
        Keyboard keyboard = CONSOLE.tab.page.keyboard();
        keyboard.press("/");
        assertThat(CONSOLE.dialog().getByRole(AriaRole.COMBOBOX)).isFocused();
        keyboard.type("searchab");
        Locator found = CONSOLE.dialog().getByRole(AriaRole.OPTION);
        assertThat(found).hasText(new String[] {"searchableworkflow"});
        keyboard.press("Enter");
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*/workflows\\?workflow=searchable"));
    }

    @Test
    void keys_go_to_pages_and_a_dialog_gives_the_focus_back() {
        CONSOLE.open("/notices");
        Keyboard keyboard = CONSOLE.tab.page.keyboard();
        keyboard.press("g");
        keyboard.press("e");
        assertThat(CONSOLE.tab.page.locator("h1")).hasText("Events");
        Locator search = CONSOLE.tab.page.locator(".search-button");
        search.focus();
        keyboard.press("?");
        assertThat(CONSOLE.dialog()).containsText("pause live updates");
        for (int i = 0; i < 3; i++) {
            keyboard.press("Tab");
            assertThat(CONSOLE.dialog().locator(":focus")).hasCount(1);
        }
        keyboard.press("Escape");
        assertThat(search).isFocused();
    }

    @Test
    void the_first_tab_stop_skips_the_navigation() {
        CONSOLE.open("/notices");
        CONSOLE.tab.page.keyboard().press("Tab");
        assertThat(CONSOLE.link("Skip to the page")).isFocused();
        CONSOLE.tab.page.keyboard().press("Enter");
        assertThat(CONSOLE.tab.page.locator("main")).isFocused();
    }

    @Test
    void a_viewer_is_not_offered_what_it_may_not_do() {
        CONSOLE.open("/notices");
        Locator pages = CONSOLE.tab.page.locator("nav[aria-label=Pages] a");
        assertThat(pages.filter(new Locator.FilterOptions().setHasText("Events")))
                .hasCount(1);
        for (String page : List.of("Audit", "Tokens", "Secrets", "Organisations")) {
            assertThat(pages.filter(new Locator.FilterOptions().setHasText(page)))
                    .hasCount(0);
        }
        for (String page : List.of("audit", "tokens", "secrets", "organisations")) {
            assertThat(CONSOLE.open("/" + page)).containsText("Your token (viewer) may not see this page.");
        }
        CONSOLE.open("/events");
        assertThat(CONSOLE.button("Send an event…")).hasCount(0);
        CONSOLE.open("/dead-letters");
        assertThat(CONSOLE.button("Discard all…")).hasCount(0);
        CONSOLE.tab.assertNoFaults();
    }
}
