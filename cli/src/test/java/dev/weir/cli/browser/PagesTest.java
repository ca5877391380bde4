package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every page of the console, on a node with the demo. The pictures are in {@code target/screenshots}. */
class PagesTest {
    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void openTheConsole() throws IOException {
        chromium = Chromium.launch();
        node = new ConsoleNode("pages", "--demo");
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
    }

    @AfterAll
    static void close() {
        for (AutoCloseable one : List.of(tab, node, chromium)) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/, Overview",
        "/runs, Runs",
        "/flow-control, FlowControl",
        "/limits, Limits",
        "/workflows, Workflows",
        "/workers, Workers",
        "/events, Events",
        "/dead-letters, Dead letters",
        "/notices, Notices",
        "/audit, Audit",
        "/tokens, Tokens",
        "/secrets, Secrets",
        "/organisations, Organisations"
    })
    void a_page_is_readable_in_all_sizes_and_colours(String address, String title) throws IOException {
        tab.show(ConsoleTab.WIDE, ColorScheme.LIGHT);
        tab.open(address);
        assertThat(tab.page.locator("h1")).hasText(title);
        examine(title.toLowerCase(Locale.ROOT).replace(' ', '-'));
    }

    private static void examine(String name) throws IOException {
        for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : List.of(ConsoleTab.WIDE, ConsoleTab.NARROW)) {
                tab.show(width, colours);
                tab.assertAccessible();
                tab.assertNothingCutOff();
                tab.shoot(name + "-" + width + "-" + colours.name().toLowerCase(Locale.ROOT));
            }
        }
        tab.assertNoFaults();
    }
}
