package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The overview, and the page of modules and workers, from a new node to one with work that waits. */
@TestMethodOrder(OrderAnnotation.class)
class ConsoleOverviewTest {
    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void openTheConsole() throws Exception {
        chromium = Chromium.launch();
        node = new ConsoleNode("overview");
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable one : List.of(tab, node, chromium)) {
            one.close();
        }
    }

    private static Locator region(String name) {
        return tab.page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name));
    }

    private static void claim(String module, int limit) throws InterruptedException {
        var request = new ClaimRequest(
                List.of(ModuleInfo.of(module)), null, null, limit, "0s", "1h", null, "ann", null, null);
        assertThat(node.client.claim(request).claims()).isNotEmpty();
    }

    @Test
    @Order(1)
    void a_new_node_shows_three_commands_to_try() {
        tab.open("/");
        assertThat(tab.page.locator(".first-steps code")).hasText(new String[] {
            "weir apply examples/five-items.yaml", "weir start five_items", "weir work images.resize --exec 'cat'"
        });
        assertThat(region("What waits")).containsText("Nothing waits for a limit.");
    }

    @Test
    @Order(2)
    void it_says_what_waits_for_which_limit_who_holds_it_and_what_lacks_a_worker() throws Exception {
        node.client.apply("paid", """
                workflow: paid
                steps: [ { id: pay, uses: bank.pay, flow_control: { key: payment-api, parallelism: 1 } } ]
                """);
        node.client.apply("posted", "workflow: posted\nsteps: [ { id: send, uses: mail.send } ]\n");
        for (int i = 0; i < 4; i++) {
            node.client.start("paid", "paid-" + i, Map.of());
        }
        claim("bank.pay", 5);
        node.client.start("posted", "posted-1", Map.of());

        tab.open("/");
        assertThat(region("What waits")).containsText("payment-api");
        assertThat(region("What waits")).containsText("1/1");
        assertThat(region("What waits")).containsText("paid-0/pay");
        assertThat(region("Fullest limits")).containsText("payment-api");
        assertThat(region("Modules that lack a worker")).containsText("weir work mail.send --exec 'COMMAND'");
        Locator figures = tab.page.getByRole(AriaRole.LIST, new Page.GetByRoleOptions().setName("Now"));
        assertThat(figures).containsText("1steps running");
        assertThat(figures).containsText("4steps waiting");
        assertThat(tab.page.locator(".foot")).containsText("invariants hold");

        region("What waits")
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("payment-api"))
                .click();
        assertThat(tab.page.locator(".one-title")).containsText("payment-api");
    }

    @Test
    @Order(3)
    void modules_show_what_is_ready_and_what_is_held_and_workers_what_they_run() throws Exception {
        tab.open("/workers");
        Locator modules = region("Modules").locator(".body [role=row]");
        assertThat(modules.filter(new Locator.FilterOptions().setHasText("bank.pay")))
                .containsText("3 key, parallelism");
        assertThat(region("Modules that lack a worker")).containsText("mail.send");
        assertThat(region("Workers")).containsText("ann");

        claim("mail.send", 1);

        assertThat(region("Modules that lack a worker")).hasCount(0);
        assertThat(region("Workers").locator(".body [role=row]").first()).containsText("mail.send");
    }

    @Test
    @Order(4)
    void both_pages_are_readable_in_all_sizes_and_colours() throws IOException {
        for (Map.Entry<String, String> page :
                Map.of("/", "overview-waiting", "/workers", "workers-busy").entrySet()) {
            tab.show(ConsoleTab.WIDE, ColorScheme.LIGHT);
            tab.open(page.getKey());
            tab.page.locator(".table .body [role=row]").first().waitFor();
            for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                for (int width : List.of(ConsoleTab.WIDE, ConsoleTab.NARROW)) {
                    tab.show(width, colours);
                    tab.assertAccessible();
                    tab.assertNothingCutOff();
                    tab.shoot(
                            page.getValue() + "-" + width + "-" + colours.name().toLowerCase(Locale.ROOT));
                }
            }
        }
        tab.assertNoFaults();
    }
}
