package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.weir.api.Tokens.TokenRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One run: its graph, timeline and steps, and every action with its entry in the audit. */
@Tag("R2.14")
@Tag("RX.2")
class RunPageTest {
    private static final String ORDER = """
            workflow: order
            runtime: { max_parallel: 2 }
            steps:
              - { id: pack, uses: shop.pack, with: { box: "small" } }
              - id: pay
                needs: [pack]
                uses: shop.pay
                flow_control: { key: bank, rate: 1, period: 1h }
              - { id: check, gate: { note: "look" } }
              - { id: wrap, needs: [check], uses: shop.wrap }
            """;

    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void openTheConsole() throws Exception {
        chromium = Chromium.launch();
        node = new ConsoleNode("run-page");
        node.client.apply("order", ORDER);
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
    }

    @AfterAll
    static void close() {
        Closing.all(tab, node, chromium);
    }

    /** Sends a request in the session of the tab, as a worker would. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> post(String path, String body) {
        return (Map<String, Object>) tab.page.evaluate(
                "async ([path, body]) => (await fetch(path, {method: 'POST', body,"
                        + " headers: {'Content-Type': 'application/json'}})).json()",
                List.of(path, body.replace('\'', '"')));
    }

    /** Claims a step and reports a result, as a worker does. */
    private static void work(String run, String step, String result) {
        var claims = list(post("/v1/claims", "{'run':'" + run + "','steps':['" + step + "']}"), "claims");
        post(
                "/v1/updates",
                "{'updates':[{'run':'" + run + "','step':'" + step + "','fence':"
                        + claims.getFirst().get("fence") + "," + result + "}]}");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> response, String field) {
        return (List<Map<String, Object>>) Objects.requireNonNull(response.get(field), response::toString);
    }

    private static void assertAudited(String action, String target) {
        var entries = list(tab.get("/v1/audit?limit=1"), "entries");
        Assertions.assertThat(entries.getFirst())
                .containsEntry("action", action)
                .containsEntry("target", target);
    }

    private static Locator node(String step) {
        return tab.page.locator(".graph .node[data-step=" + step + "]");
    }

    private static Locator drawer() {
        return tab.page.locator(".drawer");
    }

    private static void click(String button) {
        tab.page
                .getByRole(
                        AriaRole.BUTTON, new GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    private static Locator dialog() {
        return tab.page.locator(".dialog");
    }

    private static void confirm(String button) {
        dialog().getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true))
                .click();
        assertThat(dialog()).hasCount(0);
    }

    private static void open(String run) throws Exception {
        node.client.start("order", run, null);
        tab.open("/runs?run=" + run);
        node("pack").waitFor();
    }

    @Test
    @Tag("RX.3")
    void states_change_live_and_the_timeline_names_the_limit_that_held_a_step() throws Exception {
        node.client.start("order", "first", null);
        open("second");
        assertThat(node("pay")).hasAccessibleName(Pattern.compile("pay: blocked"));
        work("first", "pack", "'result':'completed'");
        work("first", "pay", "'result':'completed'");
        work("second", "pack", "'result':'completed'");
        assertThat(node("pack")).hasAccessibleName(Pattern.compile("pack: completed"));
        assertThat(node("pay")).hasAccessibleName(Pattern.compile("pay: held"));
        Locator segment = tab.page.locator(".timeline .segment[data-kind=rate]");
        assertThat(segment).hasCount(1);
        assertThat(segment).hasAttribute("href", "/flow-control?key=bank");
        assertThat(segment).hasAccessibleName(Pattern.compile("pay: .* waiting for key bank's rate"));
        segment.focus();
        assertThat(tab.page.locator(".described")).containsText("waiting for key bank's rate");
        assertThat(tab.page.locator(".waiting-now")).containsText("key bank has reached its rate");
        tab.assertNoFaults();
        Pictures.take(tab, "/runs?run=second", "run");
        Pictures.take(tab, "/runs?run=second&step=pay", "run-step");
    }

    @Test
    void a_step_is_run_now_ahead_of_an_older_one() throws Exception {
        node.client.start("order", "older", null);
        open("urgent");
        node("pack").click();
        assertThat(tab.page).hasURL(Pattern.compile("run=urgent&step=pack"));
        click("Run now…");
        dialog().getByLabel("Reason").fill("the customer waits");
        confirm("Run now");
        assertThat(drawer().locator(".outcome")).hasAttribute("data-outcome", "no_worker");
        assertAudited("run_step_now", "step:urgent/pack");
        var claims = list(post("/v1/claims", "{'modules':[{'id':'shop.pack'}]}"), "claims");
        Assertions.assertThat(claims.getFirst()).containsEntry("run", "urgent");
        tab.assertNoFaults();
    }

    @Test
    void a_step_is_done_by_hand() throws Exception {
        open("hand");
        node("pack").click();
        click("Do by hand…");
        assertThat(dialog().getByLabel("Input of the claim")).containsText("small");
        // Behind a dialog, the page has no accessible names.
        assertThat(node("pack")).hasAttribute("aria-label", "pack: running");
        dialog().getByLabel("Output in JSON; empty means null").fill("{\"parcels\": 2}");
        confirm("Report");
        assertThat(node("pack")).hasAccessibleName(Pattern.compile("pack: completed"));
        assertThat(drawer()).containsText("\"parcels\": 2");
        tab.page.keyboard().press("Escape");
        assertThat(drawer()).hasCount(0);
        tab.assertNoFaults();
    }

    @Test
    @Tag("R2.7")
    void the_capacity_is_overridden_for_a_minute() throws Exception {
        open("wide");
        click("Override max_parallel…");
        dialog().getByRole(AriaRole.SPINBUTTON).fill("4");
        dialog().getByLabel("1 minute").check();
        dialog().getByLabel("Reason").fill("month end");
        confirm("Override");
        assertThat(tab.page.locator(".facts")).containsText(Pattern.compile("max_parallel 4, .*left"));
        assertAudited("override_run", "run:wide");
        tab.assertNoFaults();
    }

    @Test
    @Tag("R2.11")
    void a_gate_is_approved_with_a_note() throws Exception {
        open("gated");
        node("check").click();
        click("Approve…");
        dialog().getByLabel("Note").fill("address is right");
        confirm("Approve");
        assertThat(node("check")).hasAccessibleName(Pattern.compile("check: completed"));
        assertThat(drawer()).containsText("address is right");
        assertAudited("approve_step", "step:gated/check");
        tab.assertNoFaults();
    }

    @Test
    void a_run_is_paused_resumed_and_cancelled_and_a_failed_one_is_retried() throws Exception {
        open("moved");
        click("Pause");
        assertThat(tab.page.locator(".run-head")).containsText("paused");
        assertAudited("pause_run", "run:moved");
        click("Resume");
        assertThat(tab.page.locator(".run-head")).containsText("running");
        assertAudited("resume_run", "run:moved");
        click("Cancel…");
        confirm("Cancel the run");
        assertThat(tab.page.locator(".run-head")).containsText("cancelled");
        assertAudited("cancel_run", "run:moved");
        open("broken");
        work("broken", "pack", "'result':'failed','error':'no boxes','permanent':true");
        assertThat(tab.page.locator("main")).containsText("no boxes");
        click("Retry…");
        confirm("Retry");
        assertThat(tab.page.locator(".facts")).containsText("retries broken");
        tab.assertNoFaults();
    }

    @Test
    void a_viewer_sees_no_actions() throws Exception {
        open("seen");
        String token = node.client
                .governance()
                .createToken(TokenRequest.of("reader", "viewer"))
                .token();
        try (ConsoleTab viewer = new ConsoleTab(chromium, node.url())) {
            viewer.signIn(token);
            viewer.open("/runs?run=seen&step=pack");
            assertThat(viewer.page.locator(".drawer")).containsText("Why");
            assertThat(viewer.page.locator("main .actions button")).hasCount(0);
            viewer.open("/runs");
            assertThat(viewer.page.locator("main .actions button")).hasCount(0);
            viewer.assertNoFaults();
        }
    }
}
