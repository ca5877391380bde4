package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.client.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The actions that each role is offered, on pages with something to act on. */
@Tag("R4.9")
class OfferedActionsTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    /** The pages that a viewer may see, each with something that an operator could change. */
    private static final List<String> PAGES = List.of(
            "/",
            "/runs",
            "/runs?run=offered-1",
            "/flow-control",
            "/flow-control?key=offered-key",
            "/limits",
            "/limits?workflow=offered",
            "/workflows",
            "/workflows?workflow=offered",
            "/workflows?workflow=offered&tab=start",
            "/workflows?workflow=offered&tab=edit",
            "/workers",
            "/events?event=offered",
            "/dead-letters",
            "/notices");

    /** The first words of buttons that change something. A start is one, too, but not for a starter. */
    private static final Pattern CHANGES =
            Pattern.compile("(?i)^(pause|resume|pin|unpin|reset|cancel|retry|archive|open…|register|new"
                    + " workflow|create|set |replace|revoke|rotate|delete|discard|redrive|override|approve|skip|give"
                    + " input|abandon|signal|edit|save|suspend|rename|run now|do by hand).*");

    private static final Pattern STARTS = Pattern.compile("(?i)^(start|send|redrive).*");

    @BeforeAll
    static void fill() throws InterruptedException {
        Client client = CONSOLE.client();
        client.apply("offered", """
            workflow: offered
            triggers:
              - { id: any, event: offered, input: { order: "${{ event.data.order }}" } }
            steps:
              - { id: wait, gate: { note: Look } }
              - { id: work, uses: nobody, flow_control: { key: offered-key, parallelism: 1 } }
            """);
        client.start(StartRunRequest.of("offered", "offered-1", null));
        client.operate("pause", new KeyRequest("offered-key", "for the test", null));
        client.events().send(SendEventRequest.of("offered-event", "offered", null));
    }

    /** Opens every page, and returns the texts of its buttons that match. */
    private static List<String> offered(Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (String page : PAGES) {
            Locator main = CONSOLE.open(page);
            assertThat(main).not().containsText("may not see");
            for (String text : main.locator("button").allInnerTexts()) {
                if (pattern.matcher(text.strip()).matches()) {
                    found.add(page + ": " + text);
                }
            }
            CONSOLE.tab.assertNoFaults(); // An answer 403 would be one.
        }
        return found;
    }

    private static void signInAs(String role) throws InterruptedException {
        CONSOLE.tab.page.context().clearCookies();
        String name = "offered-" + role;
        CONSOLE.tab.signIn(CONSOLE.client()
                .governance()
                .createToken(TokenRequest.of(name, role))
                .token());
    }

    @Test
    void a_viewer_is_offered_no_change_at_all() throws InterruptedException {
        signInAs("viewer");
        assertThat(offered(CHANGES)).isEmpty();
        assertThat(offered(STARTS)).isEmpty();
    }

    @Test
    void a_starter_is_offered_starts_and_no_other_change() throws InterruptedException {
        signInAs("starter");
        assertThat(offered(CHANGES)).isEmpty();
        assertThat(offered(STARTS)).anyMatch(found -> found.endsWith(": Start the run"));
    }

    @Test
    void the_same_pages_offer_changes_to_an_operator() throws InterruptedException {
        signInAs("operator");
        assertThat(offered(CHANGES))
                .anyMatch(found -> found.startsWith("/workflows?workflow=offered: Pause"))
                .hasSizeGreaterThan(3);
    }
}
