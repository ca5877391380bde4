package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.weir.api.OrganisationAdministration.AvailabilityRequest;
import dev.weir.client.Client;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of events, triggers and schedules. */
class EventsPageTest {
    private static final String GREETING = """
            workflow: greeting
            triggers:
              - { id: large, event: guest.arrived, if: "${{ event.data.guests > 2 }}" }
              - { id: daily, schedule: "30 6 * * *", timezone: Asia/Tokyo, missed: once }
            steps:
              - { id: wait, gate: {} }
            """;
    private static final String BURST = """
            workflow: burst
            triggers:
              - { id: quiet, event: burst.event, debounce: { key: "${{ event.data.room }}", period: 1h } }
            steps:
              - { id: wait, gate: {} }
            """;

    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("operator");

    private static void send(String event, String id, String data) {
        CONSOLE.button("Send an event…").click();
        CONSOLE.dialog().getByLabel("Name of the event").fill(event);
        CONSOLE.dialog().getByLabel("Data, in JSON").fill(data);
        CONSOLE.dialog().getByLabel("Id (optional)").fill(id);
        CONSOLE.dialog()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Send"))
                .click();
    }

    private static Locator events() {
        return CONSOLE.tab
                .page
                .getByRole(AriaRole.TABLE, new GetByRoleOptions().setName("Events"))
                .locator(".body [role=row]");
    }

    @Test
    void a_sent_event_appears_with_its_outcome_and_opens_in_a_drawer() throws InterruptedException {
        CONSOLE.client().apply("greeting", GREETING);
        CONSOLE.open("/events?event=guest.arrived");
        send("guest.arrived", "party", "{ \"guests\": 4 ");
        assertThat(CONSOLE.dialog()).containsText("in JSON at position");
        CONSOLE.dialog().getByLabel("Data, in JSON").fill("{ \"guests\": 4 }");
        CONSOLE.dialog()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Send"))
                .click();
        assertThat(CONSOLE.tab.page.getByText("Event party was sent.")).isVisible();
        assertThat(events().first()).containsText("started");
        send("guest.arrived", "couple", "{ \"guests\": 2 }");
        assertThat(events()).hasCount(2);

        CONSOLE.tab.page.getByLabel("outcome").selectOption("filtered");
        assertThat(events()).hasCount(1);
        assertThat(events().first()).containsText("filtered out");
        CONSOLE.open("/events?show=party");
        assertThat(CONSOLE.dialog()).containsText("\"guests\": 4");
        assertThat(CONSOLE.dialog().locator(".event-outcome a"))
                .hasAttribute("href", Pattern.compile("/runs\\?run=.*party.*"));
        CONSOLE.tab.page.keyboard().press("Escape");
        assertThat(CONSOLE.dialog()).hasCount(0);
        assertThat(CONSOLE.tab.page).hasURL(Pattern.compile(".*/events$"));
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void triggers_show_their_open_windows_and_that_their_workflow_is_paused() throws InterruptedException {
        Client client = CONSOLE.client();
        client.apply("burst", BURST);
        CONSOLE.open("/events");
        send("burst.event", "bang", "{ \"room\": \"kitchen\" }");
        assertThat(CONSOLE.tab.page.getByText("Event bang was sent.")).isVisible();
        CONSOLE.open("/events?view=triggers");
        Locator windows =
                CONSOLE.tab.page.getByRole(AriaRole.TABLE, new GetByRoleOptions().setName("Open debounce windows"));
        assertThat(windows).containsText("kitchen");
        Locator trigger = CONSOLE.row("burst.event");
        assertThat(trigger).containsText("1h quiet, for each event.data.room");
        assertThat(trigger).containsText("open");
        client.governance().setAvailability("burst", new AvailabilityRequest("paused", null));
        CONSOLE.open("/events?view=triggers");
        assertThat(trigger).containsText("paused");
        CONSOLE.tab.assertNoFaults();
    }

    @Test
    void a_schedule_shows_its_times_in_its_own_zone() throws InterruptedException {
        CONSOLE.client().apply("greeting", GREETING);
        CONSOLE.open("/events?view=schedules");
        Locator schedule = CONSOLE.row("greeting");
        assertThat(schedule).containsText("30 6 * * *");
        assertThat(schedule).containsText(Pattern.compile("06:30, .* 06:30 Asia/Tokyo"));
        assertThat(schedule).containsText("one run for all");
    }
}
