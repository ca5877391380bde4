package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.weir.core.state.RunState;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The list of runs: filters that are kept in the address, and actions on all runs that match them. */
@Tag("R3.10")
class RunsListTest {
    private static Chromium chromium;
    private static ConsoleNode node;
    private static ConsoleTab tab;

    @BeforeAll
    static void openTheConsole() throws Exception {
        chromium = Chromium.launch();
        node = new ConsoleNode("runs-list");
        for (String workflow : List.of("resize", "report", "keep")) {
            node.client.apply(workflow, "workflow: " + workflow + "\nsteps: [{id: a, uses: nobody." + workflow + "}]");
            for (int i = 0; i < 3; i++) {
                node.client.start(workflow, workflow + "-" + i, null);
            }
        }
        tab = new ConsoleTab(chromium, node.url());
        tab.signIn(node.token());
    }

    @AfterAll
    static void close() {
        Closing.all(tab, node, chromium);
    }

    private static Locator rows() {
        return tab.page.getByRole(AriaRole.TABLE).locator(".body [role=row]");
    }

    @Test
    void filters_are_kept_in_the_address() {
        tab.open("/runs");
        assertThat(rows()).hasCount(9);
        assertThat(rows().first()).containsText("no worker polls for its module");
        tab.page
                .getByLabel("Workflow", new com.microsoft.playwright.Page.GetByLabelOptions().setExact(true))
                .selectOption("keep");
        assertThat(rows()).hasCount(3);
        tab.page.getByLabel("Text of the id").fill("keep-1");
        assertThat(rows()).hasCount(1);
        assertThat(tab.page).hasURL(Pattern.compile("/runs\\?workflow=keep&id=keep-1$"));
        tab.open("/runs?workflow=keep&state=completed");
        assertThat(tab.page.getByText("No run matches these filters.")).isVisible();
        tab.open("/runs?started_by=weir%20up");
        assertThat(rows()).hasCount(9);
        tab.open("/runs?started_by=nobody-at-all");
        assertThat(tab.page.getByText("No run matches these filters.")).isVisible();
        tab.assertNoFaults();
    }

    @Test
    void a_bulk_cancel_shows_its_effect_first_and_then_its_progress() throws Exception {
        tab.open("/runs?workflow=resize");
        tab.page
                .getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Cancel these…"))
                .click();
        Locator dialog = tab.page.getByRole(AriaRole.ALERTDIALOG);
        assertThat(dialog.getByRole(AriaRole.HEADING)).hasText("Cancel 3 runs of resize");
        assertThat(dialog.locator(".bulk-sample li")).hasCount(3);
        dialog.getByLabel("Reason").fill("wrong price list");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel 3 runs"))
                .click();
        assertThat(dialog.getByRole(AriaRole.STATUS)).hasText("Done: 3 cancelled, 0 unchanged, 0 failed.");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Close"))
                .click();
        assertThat(rows().filter(new Locator.FilterOptions().setHasText("cancelled")))
                .hasCount(3);
        Assertions.assertThat(node.client.run("keep-0").state())
                .isEqualTo(RunState.RUNNING.name().toLowerCase(java.util.Locale.ROOT));
        Assertions.assertThat(tab.get("/v1/audit?limit=5").toString()).contains("cancel", "wrong price list");
        tab.assertNoFaults();
    }

    @Test
    void the_list_is_readable_in_all_sizes_and_colours() throws IOException {
        Pictures.take(tab, "/runs?workflow=report", "runs-filtered");
    }
}
