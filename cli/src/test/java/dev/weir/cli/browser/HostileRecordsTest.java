package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.client.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.JsonNodeFactory;

/** Hostile texts in the lists of records: events, dead letters, audit. */
class HostileRecordsTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("admin");

    private static void assertShown(String address) {
        Locator main = CONSOLE.open(address);
        for (String text : HostileText.ALL) {
            assertThat(main.locator("[title=" + quoted(text) + "]").first()).isAttached();
        }
        CONSOLE.tab.assertNoFaults();
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Test
    void every_text_is_shown_as_text() throws InterruptedException {
        Client client = CONSOLE.client();
        client.apply("hostile", """
                workflow: hostile
                triggers:
                  - { id: any, event: hostile.text, input: { order: "${{ event.data.order }}" } }
                steps:
                  - { id: wait, gate: {} }
                """);
        for (String text : HostileText.ALL) {
            var data = JsonNodeFactory.instance.objectNode().put("text", text);
            client.events().send(SendEventRequest.of(text, "hostile.text", data));
            client.operate("pause", new KeyRequest("hostile-key", text, null));
            client.operate("resume", new KeyRequest("hostile-key", null, null));
        }
        assertShown("/events?event=hostile.text");
        assertShown("/dead-letters?workflow=hostile");
        assertShown("/audit?action=pause_key&target=key%3Ahostile-key");
    }
}
