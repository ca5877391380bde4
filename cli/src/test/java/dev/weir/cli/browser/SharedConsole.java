package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.weir.api.Audits.EntryView;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.client.Client;
import dev.weir.client.Governance.AuditChain;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A console for the tests of one class, on a node without traffic that all such classes share. Each class signs in with a
 * token of its own, so that the audit tells their changes apart.
 */
@SuppressWarnings("NullAway.Init") // JUnit calls beforeAll first
final class SharedConsole implements BeforeAllCallback, AfterAllCallback {
    private static final double ASSERTION_MAX_MS = 20_000;

    private final String role;
    private final String actor = "test-" + UUID.randomUUID().toString().substring(0, 8);
    private final boolean administrator;
    private Server server;
    ConsoleTab tab;

    /** The node and the browser. JUnit closes them after the last class. */
    private record Server(Chromium chromium, ConsoleNode node) implements AutoCloseable {
        static Server start() {
            PlaywrightAssertions.setDefaultAssertionTimeout(ASSERTION_MAX_MS);
            try {
                return new Server(Chromium.launch(), new ConsoleNode("shared"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            node.close();
            chromium.close();
        }
    }

    private SharedConsole(String role, boolean administrator) {
        this.role = role;
        this.administrator = administrator;
    }

    static SharedConsole as(String role) {
        return new SharedConsole(role, false);
    }

    static SharedConsole asAdministrator() {
        return new SharedConsole("admin", true);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        server = context.getRoot()
                .getStore(Namespace.create(SharedConsole.class))
                .computeIfAbsent("server", ignored -> Server.start(), Server.class);
        var request = new TokenRequest(actor, role, null, administrator ? Boolean.TRUE : null, null, null);
        String token = client().governance().createToken(request).token();
        tab = new ConsoleTab(server.chromium, server.node.url());
        tab.signIn(token);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        tab.close();
    }

    /** Returns a client that may do everything. */
    Client client() {
        return server.node.client;
    }

    String url() {
        return server.node.url();
    }

    /** Opens a page, and returns its content. */
    Locator open(String address) {
        tab.open(address);
        return tab.page.locator("main");
    }

    Locator button(String name) {
        return tab.page.getByRole(
                AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return tab.page.getByRole(
                AriaRole.LINK, new GetByRoleOptions().setName(name).setExact(true));
    }

    /** Returns the row whose first cell has this text. */
    Locator row(String text) {
        return tab.page
                .locator("[role=row]")
                .filter(new Locator.FilterOptions()
                        .setHas(tab.page.locator(
                                "[role=cell].first",
                                new com.microsoft.playwright.Page.LocatorOptions().setHasText(text))));
    }

    /** Returns the open dialog. */
    Locator dialog() {
        return tab.page.locator("[role=dialog]:visible, [role=alertdialog]:visible");
    }

    /** Chooses an action from the menu of a row. */
    void choose(String row, String action) {
        row(row).getByRole(AriaRole.BUTTON).click();
        tab.page
                .getByRole(AriaRole.MENUITEM, new GetByRoleOptions().setName(action))
                .click();
    }

    /** Enters a reason into the open dialog, presses its button, and waits until it has closed. */
    void confirm(String verb, String reason) {
        dialog().getByLabel("Reason, kept in the audit").fill(reason);
        dialog().getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(verb).setExact(true))
                .click();
        assertThat(dialog().getByRole(
                                AriaRole.BUTTON,
                                new Locator.GetByRoleOptions().setName(verb).setExact(true)))
                .hasCount(0);
    }

    /** Asserts that the newest change of this class is as expected. */
    void assertAudited(AuditChain chain, String action, String target, String reason) throws InterruptedException {
        EntryView entry = client().governance()
                .audit(chain, Map.of("actor", actor, "limit", "1"))
                .entries()
                .getFirst();
        assertThat(entry.action()).isEqualTo(action);
        assertThat(entry.target()).isEqualTo(target);
        assertThat(entry.reason()).isEqualTo(reason);
        assertThat(entry.origin()).isEqualTo("console");
    }

    void assertAudited(String action, String target, String reason) throws InterruptedException {
        assertAudited(AuditChain.ORGANISATION, action, target, reason);
    }
}
