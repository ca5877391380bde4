package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.Keys.Waiter;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The FlowControl page, with keys that the test fills through the API. */
@Tag("R3.6")
class ConsoleKeysTest {
    private static final String WORKFLOW = """
            workflow: keyed
            steps:
              - id: bill
                uses: keyed.work
                flow_control:
                  key: "${{ input.key }}"
                  parallelism: 2
                  weight: "${{ input.weight }}"
                  rate: 10
                  period: 1m
            """;

    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void fillKeys() throws Exception {
        chromium = Chromium.launch();
        node = new ConsoleNode("keys");
        node.client.apply("keyed", WORKFLOW.replace("\"${{ input.weight }}\"", "1"));
        node.client.apply(
                "wide", WORKFLOW.replace("workflow: keyed", "workflow: wide").replace("\"${{ input.weight }}\"", "2"));
        for (int i = 0; i < 5; i++) {
            start("keyed", "bill-" + i, "billing-api");
        }
        start("keyed", "acme-1", "customer-acme");
        for (String key : List.of("actions", "actions", "actions", "resets")) {
            start("keyed", null, key);
        }
        start("wide", "wide-1", "narrow");
        start("wide", "wide-2", "narrow");
        claimAll();
        node.client.pin(PinRequest.of("media", 4, null, null));
        node.client.operate("pause", new KeyRequest("gpu-pool", "driver update", "1h"));
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable one : List.of(tab, node, chromium)) {
            one.close();
        }
    }

    private static void start(String workflow, @Nullable String id, String key) throws InterruptedException {
        node.client.start(workflow, id, Map.of("key", key));
    }

    /** Claims all that the limits allow, as a worker that never ends its work. */
    private static void claimAll() throws InterruptedException {
        var request = new ClaimRequest(
                List.of(ModuleInfo.of("keyed.work")), null, null, 50, "0s", "1h", null, "ann", null, null);
        assertThat(node.client.claim(request).claims()).isNotEmpty();
    }

    private static Locator row(String text) {
        return tab.page
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHasText(text))
                .first();
    }

    private static Locator button(String name) {
        return tab.page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    @Tag("R3.6")
    void the_waitlist_size_of_each_key_equals_that_of_the_api() throws Exception {
        tab.open("/flow-control");
        var listed = node.client.keys(Map.of("limit", "200"));

        assertThat(listed.keys()).hasSizeGreaterThan(4);
        for (var key : listed.keys()) {
            assertThat(row(key.key()).getByRole(AriaRole.CELL).filter(labelled("Waiting")))
                    .hasText(Pattern.compile("^Waiting" + key.waiting() + "$"));
        }
        assertThat(tab.page.locator(".totals"))
                .containsText("waiting " + listed.totals().waiting());
        assertThat(row("billing-api")).containsText("2/2");
        assertThat(row("gpu-pool")).containsText("driver update");
        assertThat(row("media")).containsText("pinned");
    }

    private static Locator.FilterOptions labelled(String name) {
        return new Locator.FilterOptions().setHasText(Pattern.compile("^" + name));
    }

    @Test
    void the_page_of_a_key_lists_its_holders_and_its_waitlist_as_the_api_does() throws Exception {
        tab.open("/flow-control?key=billing-api");
        List<Waiter> waiting = node.client.waitlist("billing-api").waitlist();

        assertThat(waiting).hasSize(3);
        Locator rows = tab.page
                .getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Waiting"))
                .locator(".body [role=row]");
        assertThat(rows).hasCount(waiting.size());
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(rows.nth(i)).containsText(waiting.get(i).run() + "/bill");
        }
        Locator holders = tab.page.getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Holders"));
        assertThat(holders).containsText("bill-0/bill");
        assertThat(holders).containsText("ann");
        assertThat(holders).containsText("left");
    }

    @Test
    void figures_follow_the_node_without_a_reload_and_stand_still_while_updates_are_paused() throws Exception {
        start("keyed", "live-0", "live");
        start("keyed", "live-1", "live");
        start("keyed", "live-2", "live");
        claimAll();
        tab.open("/flow-control?key=live");
        tab.page.evaluate("window.unchanged = true");
        assertThat(tab.page.locator(".backlog")).containsText("1 step waits");

        start("keyed", "live-3", "live");

        assertThat(tab.page.locator(".backlog")).containsText("2 steps wait");
        assertThat(tab.page.evaluate("window.unchanged")).isEqualTo(true);

        tab.page.keyboard().press("p");
        assertThat(tab.page.locator(".live")).hasText("‖ paused");
        start("keyed", "live-4", "live");
        assertThat(node.client.key("live").waiting()).isEqualTo(3);
        assertThat(tab.page.locator(".backlog")).containsText("2 steps wait");
        tab.page.keyboard().press("p");
        assertThat(tab.page.locator(".backlog")).containsText("3 steps wait");
    }

    @Test
    @Tag("R3.7")
    void a_key_is_paused_and_resumed_with_a_reason_in_the_audit() throws Exception {
        tab.open("/flow-control?key=actions");
        button("Pause…").click();
        act("Pause", "the provider is down");
        assertThat(tab.page.locator(".one-title")).containsText("the provider is down");
        assertThat(tab.page.locator(".one-title")).containsText("left");
        assertThat(node.client.key("actions").paused()).isTrue();
        assertAudited("actions", "pause_key", "the provider is down");

        button("Resume…").click();
        act("Resume", "it is back");
        assertThat(button("Resume…")).hasCount(0);
        assertThat(node.client.key("actions").paused()).isFalse();
        assertAudited("actions", "resume_key", "it is back");
    }

    @Test
    @Tag("R3.7")
    void a_pin_changes_only_the_given_fields_and_shows_the_warnings_of_the_node() throws Exception {
        tab.open("/flow-control?key=narrow");
        button("Pin…").click();
        tab.page
                .getByLabel("Parallelism", new Page.GetByLabelOptions().setExact(true))
                .last()
                .fill("1");
        act("Pin", "half the machine");

        assertThat(tab.page.getByRole(AriaRole.ALERT)).containsText("1 waiting step needs 2 of the parallelism of 1");
        var pinned = Objects.requireNonNull(node.client.key("narrow").pinned());
        assertThat(pinned.parallelism()).isEqualTo(1);
        assertThat(pinned.rate()).isNull();
        assertThat(pinned.until()).as("an hour is proposed").isNotNull();
        assertAudited("narrow", "pin_key", "half the machine");

        button("Unpin…").click();
        act("Unpin", "the machine is whole again");
        assertThat(tab.page.locator(".pin-mark")).hasCount(0);
        assertThat(node.client.key("narrow").pinned()).isNull();
        assertAudited("narrow", "unpin_key", "the machine is whole again");
    }

    @Test
    @Tag("R3.7")
    void a_refused_pin_shows_the_words_of_the_node() {
        tab.open("/flow-control?key=customer-acme");
        button("Pin…").click();
        tab.page.getByLabel("per period").fill("soon");
        button("Pin").click();
        assertThat(tab.page.getByRole(AriaRole.ALERT)).containsText("period");
        tab.page.keyboard().press("Escape");
        assertThat(tab.page.getByRole(AriaRole.DIALOG)).hasCount(0);
    }

    @Test
    @Tag("R3.7")
    void a_reset_rate_forgets_the_starts() throws Exception {
        tab.open("/flow-control?key=resets");
        assertThat(tab.page.locator("main")).containsText("1 of 10 per 1m");
        button("Reset rate…").click();
        act("Reset rate", "a new contract");
        assertThat(tab.page.locator("main")).containsText("0 of 10 per 1m");
        assertThat(node.client.key("resets").rate().used()).isZero();
        assertAudited("resets", "reset_rate", "a new contract");
    }

    /** Gives a reason in the open dialog, and confirms. */
    private static void act(String verb, String reason) {
        tab.page.getByLabel("Reason, kept in the audit").fill(reason);
        button(verb).click();
        assertThat(tab.page.locator(".dialog")).hasCount(0);
    }

    private static void assertAudited(String key, String action, String reason) {
        assertThat(tab.get("/v1/audit?target=key:" + key + "&limit=1").toString())
                .contains("action=" + action, "reason=" + reason, "origin=console");
        assertThat(tab.page
                        .getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Changes"))
                        .locator(".body [role=row]")
                        .first())
                .containsText(reason, new LocatorAssertions.ContainsTextOptions().setTimeout(15_000));
    }

    @Test
    void the_order_the_filters_and_the_search_are_in_the_address_and_survive_the_back_button() {
        tab.open("/flow-control");
        tab.page.getByLabel("sort").selectOption("name");
        assertThat(tab.page).hasURL(Pattern.compile("sort=name"));
        tab.page.getByLabel("state").selectOption("paused");
        assertThat(tab.page).hasURL(Pattern.compile("state=paused"));
        assertThat(tab.page.locator(".table .body [role=row]")).hasCount(1);
        tab.page.getByLabel("state").selectOption("");
        tab.page.getByLabel("begins with").fill("cust");
        assertThat(tab.page).hasURL(Pattern.compile("prefix=cust"));
        assertThat(tab.page.locator(".table .body [role=row]")).hasCount(1);

        row("customer-acme").getByRole(AriaRole.LINK).click();
        assertThat(tab.page.locator(".one-title")).containsText("customer-acme");
        tab.page.goBack();
        assertThat(tab.page).hasURL(Pattern.compile("flow-control\\?sort=name&prefix=cust$"));
        assertThat(tab.page.locator(".table .body [role=row]")).hasCount(1);

        tab.page.navigate("/flow-control?prefix=no-such-key");
        assertThat(tab.page.locator("main")).containsText("No key matches these filters");
    }

    @Test
    void a_key_is_reached_and_left_with_the_keyboard_alone() {
        tab.open("/");
        tab.page.keyboard().press("g");
        tab.page.keyboard().press("k");
        assertThat(tab.page.locator("h1")).hasText("FlowControl");
        tab.page.keyboard().press("/");
        tab.page.keyboard().type("billing");
        assertThat(tab.page.getByRole(AriaRole.OPTION).filter(new Locator.FilterOptions().setHasText("billing-api")))
                .isVisible();
        tab.page.keyboard().press("Enter");
        assertThat(tab.page.locator(".one-title")).containsText("billing-api");
        button("Pause…").focus();
        tab.page.keyboard().press("Enter");
        assertThat(tab.page.getByRole(AriaRole.DIALOG)).isVisible();
        tab.page.keyboard().press("Escape");
        assertThat(tab.page.getByRole(AriaRole.DIALOG)).hasCount(0);
        assertThat(button("Pause…")).isFocused();
    }

    @Test
    @Tag("R4.8")
    void a_viewer_sees_the_key_and_no_actions() throws Exception {
        String token = node.client
                .governance()
                .createToken(TokenRequest.of("keys-viewer", "viewer"))
                .token();
        try (ConsoleTab viewer = new ConsoleTab(chromium, node.url())) {
            viewer.signIn(token);
            viewer.open("/flow-control?key=gpu-pool");
            assertThat(viewer.page.locator(".one-title")).containsText("driver update");
            assertThat(viewer.page.locator(".actions")).hasCount(0);
            viewer.assertNoFaults();
        }
    }

    @Test
    void both_pages_are_readable_in_all_sizes_and_colours() throws IOException {
        // Another test causes a refusal, which its tab remembers as a fault.
        try (ConsoleTab fresh = new ConsoleTab(chromium, node.url())) {
            fresh.signIn(node.token());
            examine(fresh, "/flow-control", "keys");
            examine(fresh, "/flow-control?key=billing-api", "one-key");
            fresh.assertNoFaults();
        }
    }

    private static void examine(ConsoleTab fresh, String address, String name) throws IOException {
        fresh.show(ConsoleTab.WIDE, ColorScheme.LIGHT);
        fresh.open(address);
        fresh.page.locator(".table .body [role=row]").first().waitFor();
        for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : List.of(ConsoleTab.WIDE, ConsoleTab.NARROW)) {
                fresh.show(width, colours);
                fresh.assertAccessible();
                fresh.assertNothingCutOff();
                fresh.shoot(name + "-" + width + "-" + colours.name().toLowerCase(Locale.ROOT));
            }
        }
    }
}
