package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.weir.client.Governance.AuditChain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of the organisations, which administrators of the node see. */
class OrganisationsPageTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.asAdministrator();

    private static void assertAudited(String action, String organisation, String reason) throws InterruptedException {
        CONSOLE.assertAudited(AuditChain.ADMINISTRATION, action, "organisation:" + organisation, reason);
    }

    @Test
    void an_organisation_is_created_renamed_suspended_resumed_and_deleted() throws InterruptedException {
        CONSOLE.open("/organisations");
        CONSOLE.button("Create an organisation…").click();
        CONSOLE.dialog().getByLabel("Name.").fill("bakery");
        CONSOLE.confirm("Create", "a new customer");
        CONSOLE.button("I have copied it").click();
        assertThat(CONSOLE.row("bakery")).containsText("active");

        CONSOLE.choose("bakery", "Rename…");
        CONSOLE.dialog().getByLabel("New name").fill("big-bakery");
        CONSOLE.confirm("Rename", "it has grown");
        assertThat(CONSOLE.row("big-bakery")).hasCount(1);
        assertAudited("rename_organisation", "bakery", "it has grown");

        CONSOLE.choose("big-bakery", "Suspend…");
        CONSOLE.confirm("Suspend", "unpaid");
        assertThat(CONSOLE.row("big-bakery")).containsText("“unpaid”");
        assertAudited("suspend_organisation", "big-bakery", "unpaid");

        CONSOLE.choose("big-bakery", "Resume…");
        CONSOLE.confirm("Resume", "paid");
        assertThat(CONSOLE.row("big-bakery")).containsText("active");
        assertAudited("resume_organisation", "big-bakery", "paid");

        CONSOLE.choose("big-bakery", "Suspend…");
        CONSOLE.confirm("Suspend", "the contract ended");
        assertThat(CONSOLE.row("big-bakery")).containsText("suspended");
        delete();
        CONSOLE.tab.assertNoFaults();
    }

    /** Deletes the organisation. The dialog asks to type its name. */
    private static void delete() throws InterruptedException {
        CONSOLE.choose("big-bakery", "Delete…");
        Locator name = CONSOLE.dialog().getByLabel("Type big-bakery");
        name.fill("bakery");
        CONSOLE.button("Delete for good").click();
        assertThat(CONSOLE.dialog()).isVisible();
        name.fill("big-bakery");
        CONSOLE.confirm("Delete for good", "the contract ended");
        assertAudited("delete_organisation", "big-bakery", "the contract ended");
        Locator deletions = CONSOLE.tab.page.getByRole(AriaRole.TABLE, new GetByRoleOptions().setName("Deletions"));
        assertThat(deletions.getByText("big-bakery")).isVisible();
        assertThat(deletions.getByText("completed")).isVisible();
    }

    @Test
    void an_active_organisation_and_that_of_the_node_cannot_be_deleted() {
        CONSOLE.open("/organisations");
        CONSOLE.row("default").getByRole(AriaRole.BUTTON).click();
        Locator delete = CONSOLE.tab.page.getByRole(AriaRole.MENUITEM, new GetByRoleOptions().setName("Delete…"));
        assertThat(delete).hasAttribute("aria-disabled", "true");
    }
}
