package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Organisations.QuotaRequest;
import dev.weir.api.Tokens.TokenRequest;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The page Limits: usage, changes with the quota beside the form, what-if, conflicts, history, and who may change. */
@TestMethodOrder(OrderAnnotation.class)
class LimitsPageTest {
    private static final int RUNS = 12;

    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void startRunsThatWait() throws Exception {
        chromium = Chromium.launch();
        node = new ConsoleNode("limits");
        node.client.apply("orders", """
                workflow: orders
                limits: { max_concurrent_runs: 3, run_key: "${{ input.customer }}", max_concurrent_runs_per_key: 2 }
                steps: [ { id: pay, uses: orders.pay, flow_control: { key: billing, parallelism: 2 } } ]
                """);
        node.client.apply("reports", "workflow: reports\nsteps: [ { id: a, uses: reports.a } ]\n");
        for (int i = 0; i < RUNS; i++) {
            node.client.start("orders", "order-" + i, Map.of("customer", "c" + i));
        }
        node.client.operations().changeQuota(new QuotaRequest(null, 1_000L, null, null, null));
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

    private static Locator button(String name) {
        return tab.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    private static Locator dialog() {
        return tab.page.getByRole(AriaRole.DIALOG);
    }

    private static Locator field(String name) {
        return dialog().locator("input[name='" + name + "']");
    }

    private static JsonNode number(int value) {
        return JsonNodeFactory.instance.numberNode(value);
    }

    private static RunLimitsRequest concurrentRuns(int value, String reason) {
        return new RunLimitsRequest(number(value), null, null, null, null, null, null, null, null, reason);
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
        tab.show(ConsoleTab.WIDE, ColorScheme.LIGHT);
        tab.assertNoFaults();
    }

    @Test
    @Order(1)
    @Tag("R4.14")
    void the_page_shows_usage_and_quota_of_the_organisation_and_its_workflows() throws IOException {
        tab.open("/limits");
        Locator figures = tab.page.getByLabel("The organisation now");
        assertThat(figures.locator("div", new Locator.LocatorOptions().setHasText("running")))
                .containsText("3");
        assertThat(tab.page.getByLabel("Quota headroom")).containsText("1,000");
        assertThat(tab.page.getByLabel("Quota headroom")).containsText("997");
        Locator orders = tab.page.getByLabel("Workflows").locator("[role=row]", hasText("orders"));
        assertThat(orders).containsText("3/3");
        assertThat(orders).containsText(String.valueOf(RUNS - 3));
        examine("limits-organisation");
    }

    private static Locator.LocatorOptions hasText(String text) {
        return new Locator.LocatorOptions().setHasText(text);
    }

    @Test
    @Order(2)
    @Tag("R4.11")
    @Tag("R4.14")
    void a_limit_is_edited_with_the_quota_beside_the_form_and_the_prediction_before_saving() throws IOException {
        tab.open("/limits?workflow=orders");
        button("Change limits…").click();
        assertThat(dialog().getByLabel("Quota headroom")).containsText("997");
        field("max_concurrent_runs").fill("5");
        Locator whatIf = dialog().getByLabel("What if");
        assertThat(whatIf).containsText("With these limits");
        assertThat(whatIf).containsText("instead of");
        dialog().getByLabel("1 hour").check();
        dialog().getByLabel("Reason, kept in the audit").fill("end of month");
        examine("limits-edit");
        button("Save limits").click();
        assertThat(dialog()).hasCount(0);
        Locator row =
                tab.page.getByLabel("Limits of workflow orders").locator("[role=row]", hasText("Concurrent runs"));
        assertThat(row.first()).containsText("5/5");
        assertThat(row.first()).containsText(Pattern.compile("59 m|1 h"));
        assertThat(row.first()).containsText("then 3");
        Locator changes = tab.page.getByLabel("Changes of these limits");
        assertThat(changes).containsText("end of month");
        assertThat(changes).containsText("max_concurrent_runs");
        examine("limits-workflow");
    }

    @Test
    @Order(3)
    void a_change_that_overtook_another_one_is_shown_beside_it_and_the_user_decides() throws Exception {
        tab.open("/limits?workflow=orders");
        button("Change limits…").click();
        field("max_concurrent_runs").fill("7");
        node.client.operations().changeWorkflowLimits("orders", concurrentRuns(6, "driver update"), null);
        button("Save limits").click();
        Locator conflict = dialog();
        assertThat(conflict).containsText("Somebody else changed these limits meanwhile");
        assertThat(conflict).containsText("driver update");
        Locator row = conflict.locator("tbody tr", hasText("Concurrent runs")).first();
        assertThat(row.locator("td")).hasText(new String[] {"5", "6", "7"});
        tab.assertAccessible();
        tab.shoot("limits-conflict-1280-light");
        button("Save mine over theirs").click();
        assertThat(dialog()).hasCount(0);
        assertThat(tab.page
                        .getByLabel("Limits of workflow orders")
                        .locator("[role=row]", hasText("Concurrent runs"))
                        .first())
                .containsText("7/7");
        Locator changes = tab.page.getByLabel("Changes of these limits");
        assertThat(changes.locator("li", hasText("7")).first()).isVisible();
    }

    @Test
    @Order(4)
    void limits_of_a_run_key_are_found_set_and_listed() {
        tab.open("/limits?workflow=orders");
        tab.page
                .getByLabel("Run key", new Page.GetByLabelOptions().setExact(true))
                .fill("c11");
        button("Show its limits").click();
        button("Change limits…").click();
        field("max_concurrent_runs").fill("1");
        button("Save limits").click();
        assertThat(dialog()).hasCount(0);
        assertThat(tab.page.getByLabel("Changes of these limits")).containsText("max_concurrent_runs");
        tab.open("/limits?workflow=orders");
        assertThat(tab.page.getByLabel("Run keys with values of their own")).containsText("c11");
    }

    @Test
    @Order(5)
    @Tag("R4.11")
    void the_administrator_sets_the_quota() {
        tab.open("/limits");
        button("Set quota…").click();
        dialog().getByLabel("Runs per month; empty = no quota").fill("");
        dialog().getByLabel("Reason, kept in the audit").fill("no contract");
        dialog().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Set quota"))
                .click();
        assertThat(dialog()).hasCount(0);
        assertThat(tab.page.getByLabel("Quota headroom")).containsText("no quota set");
        String audit =
                String.valueOf(tab.get("/v1/administration/audit?limit=5").get("entries"));
        Assertions.assertThat(audit).contains("no contract");
    }

    @Test
    @Order(6)
    @Tag("R4.9")
    void a_viewer_sees_the_limits_but_is_offered_no_change() throws Exception {
        try (var viewers = new ConsoleTab(chromium, node.url())) {
            viewers.signIn(viewerToken());
            viewers.open("/limits?workflow=orders");
            assertThat(viewers.page.getByLabel("Limits of workflow orders").first())
                    .containsText("Concurrent runs");
            assertThat(viewers.page.getByText("Change limits…")).hasCount(0);
            assertThat(viewers.page.getByLabel("Changes of these limits")).hasCount(0);
            viewers.open("/limits");
            assertThat(viewers.page.getByText("Set quota…")).hasCount(0);
            viewers.assertNoFaults();
        }
    }

    private static String viewerToken() throws InterruptedException {
        return node.client
                .governance()
                .createToken(TokenRequest.of("vera", "viewer"))
                .token();
    }
}
