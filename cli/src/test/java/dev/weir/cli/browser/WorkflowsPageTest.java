package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import dev.weir.api.Audits.EntryView;
import dev.weir.api.Runs.RunView;
import dev.weir.client.Governance.AuditChain;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The pages of workflows: the list, the definition with its editor, the form of a run. */
class WorkflowsPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("operator");

    private static final String FORMED = """
        workflow: formed
        description: Delivers <b>one</b> parcel.
        input_schema:
          type: object
          required: [order, tenant, express]
          properties:
            order: { type: integer, minimum: 1 }
            tenant: { type: string, enum: [acme, globex] }
            express: { type: boolean }
            note: { type: string, default: none }
            weight: { type: number }
            lines: { type: array, items: { type: string } }
            address: { type: object, required: [city], properties: { city: { type: string }, zip: { type: string } } }
        triggers:
          - { id: made, event: order.made, if: "${{ event.data.total > 0 }}", input: { order: 1, tenant: acme, express: true } }
        steps:
          - { id: wait, gate: { note: Look } }
        """;

    private static Locator field(String label) {
        return CONSOLE.tab.page.locator("main").getByLabel(Pattern.compile("^" + label));
    }

    private static Locator editor() {
        return CONSOLE.tab.page.getByLabel("Definition in YAML or JSON");
    }

    @Test
    void the_list_and_the_definition_show_what_starts_a_workflow() throws InterruptedException, IOException {
        CONSOLE.client().apply("formed", FORMED);
        CONSOLE.open("/workflows");
        assertThat(CONSOLE.row("formed")).containsText("event order.made");
        assertThat(CONSOLE.row("formed")).containsText("v1");
        CONSOLE.link("formed").click();
        Locator main = CONSOLE.tab.page.locator("main");
        assertThat(main.getByText("Delivers <b>one</b> parcel.", new Locator.GetByTextOptions().setExact(true)))
                .isVisible();
        assertThat(main.getByLabel("Definition in YAML")).containsText("express: { type: boolean }");
        assertThat(main.getByLabel("Starts on")).containsText("${{ event.data.total > 0 }}");
        for (String tab : List.of("", "start", "edit", "simulate")) {
            CONSOLE.open("/workflows?workflow=formed&tab=" + tab);
            examine("workflow-" + (tab.isEmpty() ? "definition" : tab));
        }
    }

    private static void examine(String name) throws IOException {
        for (int width : List.of(ConsoleTab.NARROW, ConsoleTab.WIDE)) {
            CONSOLE.tab.show(width, ColorScheme.LIGHT);
            CONSOLE.tab.assertAccessible();
            CONSOLE.tab.assertNothingCutOff();
            CONSOLE.tab.shoot(name + "-" + width + "-light");
        }
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void the_node_checks_a_definition_while_it_is_typed_and_registers_it_when_told_to() throws InterruptedException {
        CONSOLE.client().apply("edited", "workflow: edited\nsteps:\n  - { id: a, uses: m }\n");
        CONSOLE.open("/workflows?workflow=edited&tab=edit");
        assertThat(CONSOLE.tab.page.getByText("Valid: edited with 1 step")).isVisible();
        assertThat(CONSOLE.button("Register version")).isDisabled();

        editor().fill("workflow: edited\nsteps:\n  - { id: a, usess: m }\n");
        Locator check = CONSOLE.tab.page.locator("#definition-check");
        assertThat(check).containsText("line 3, column");
        assertThat(check).containsText("usess");
        assertThat(CONSOLE.tab.page.locator(".line-numbers .marked")).containsText("3");
        assertThat(CONSOLE.button("Register version")).isDisabled();
        CONSOLE.tab.forgetAnswers(400);

        editor().fill("workflow: edited\nsteps:\n  - { id: a, uses: m }\n  - { id: b, needs: [a], uses: m }\n");
        assertThat(CONSOLE.tab.page.getByText("Valid: edited with 2 steps")).isVisible();
        assertThat(versionOf("edited")).as("nothing is registered by typing").isEqualTo(1);
        CONSOLE.button("Register version").click();
        assertThat(CONSOLE.tab.page.getByText("Version 2 of edited was registered."))
                .isVisible();
        assertThat(CONSOLE.tab.page.getByLabel("Definition in YAML")).containsText("needs: [a]");
        assertThat(versionOf("edited")).isEqualTo(2);
        var audited = Map.of("target", "workflow:edited", "limit", "1");
        assertThat(CONSOLE.client()
                        .governance()
                        .audit(AuditChain.ORGANISATION, audited)
                        .entries())
                .extracting(EntryView::action, EntryView::origin)
                .containsExactly(tuple("register_workflow", "console"));
        CONSOLE.tab.assertNoFaults();
    }

    private static int versionOf(String workflow) throws InterruptedException {
        return CONSOLE.client().workflows(null).workflows().stream()
                .filter(found -> found.name().equals(workflow))
                .findFirst()
                .orElseThrow()
                .version();
    }

    @Test
    void the_form_of_the_input_schema_starts_a_run() throws InterruptedException {
        CONSOLE.client().apply("form", FORMED.replace("formed", "form"));
        CONSOLE.open("/workflows?workflow=form&tab=start");
        assertThat(field("note")).hasValue("none");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page.getByText("This field is required.")).hasCount(3);
        field("order").fill("1.5");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page.getByText("Enter a whole number.")).isVisible();

        field("order").fill("17");
        field("tenant").selectOption("globex");
        field("express").selectOption("false");
        field("weight").fill("2.5");
        field("lines").fill("[\"<b>\", \"two\"]");
        field("city").fill("Köln");
        field("Id").fill("from-the-form");
        field("Priority").fill("7");
        field("Labels").fill("team=shop, region=eu");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*/runs\\?run=from-the-form"));
        RunView run = CONSOLE.client().run("from-the-form");
        assertThat(String.valueOf(run.input()))
                .isEqualTo("{\"address\":{\"city\":\"Köln\"},\"express\":false,\"lines\":[\"<b>\",\"two\"],"
                        + "\"note\":\"none\",\"order\":17,\"tenant\":\"globex\",\"weight\":2.5}");
        assertThat(run.labels()).isEqualTo(Map.of("team", "shop", "region", "eu"));
        assertThat(run.priority()).isEqualTo(7);
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void a_richer_schema_takes_json_and_a_refusal_is_shown() throws InterruptedException {
        CONSOLE.client().apply("richer", """
            workflow: richer
            input_schema: { oneOf: [{ type: integer }, { type: string }] }
            steps:
              - { id: wait, gate: {} }
            """);
        CONSOLE.open("/workflows?workflow=richer&tab=start");
        Locator json = field("Input in JSON");
        json.fill("{");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page.getByText("This is not JSON")).isVisible();
        json.fill("12");
        field("Id").fill("no spaces");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page.locator(".problem")).containsText("no spaces");
        CONSOLE.tab.forgetAnswers(400);
        field("Id").fill("richer-1");
        CONSOLE.button("Start the run").click();
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*run=richer-1"));
        assertThat(String.valueOf(CONSOLE.client().run("richer-1").input())).isEqualTo("12");
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void a_workflow_is_paused_archived_and_opened_with_a_reason() throws InterruptedException {
        CONSOLE.client().apply("stopped", "workflow: stopped\nsteps:\n  - { id: a, uses: m }\n");
        CONSOLE.open("/workflows?workflow=stopped");
        Locator head = CONSOLE.tab.page.locator("main .page-head");
        CONSOLE.button("Pause…").click();
        CONSOLE.confirm("Pause", "the bank is down");
        assertThat(head).containsText("paused");
        CONSOLE.assertAudited("set_workflow_availability", "workflow:stopped", "the bank is down");
        CONSOLE.button("Archive…").click();
        CONSOLE.confirm("Archive", "no longer used");
        assertThat(head).containsText("archived");
        CONSOLE.assertAudited("set_workflow_availability", "workflow:stopped", "no longer used");
        CONSOLE.open("/workflows");
        assertThat(CONSOLE.row("stopped")).hasCount(0);
        CONSOLE.tab.page.getByLabel("show archived").check();
        assertThat(CONSOLE.row("stopped")).containsText("archived");
        CONSOLE.link("stopped").click();
        CONSOLE.button("Open…").click();
        CONSOLE.confirm("Open", "used again");
        assertThat(head).containsText("open");
        CONSOLE.assertAudited("set_workflow_availability", "workflow:stopped", "used again");
        CONSOLE.tab.assertNoFaults();
    }
}
