package dev.weir.cli.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.client.Client;
import dev.weir.client.RequestFailed;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Hostile texts in workflows, runs and keys: the pages show them as text, and nothing of them runs. */
@Tag("RX.5")
class HostileWorkTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    /** Elements that no page of the console contains, and that the texts would make. */
    private static final String MADE_OF_TEXT = "main script, main iframe, main img, main base, main meta, main style,"
            + " main link, main [onload], main [onerror], main [onmouseover], main a[href^='javascript']";

    private static final List<String> IDS = new ArrayList<>();

    @BeforeAll
    static void fill() throws InterruptedException {
        Client client = CONSOLE.client();
        for (int i = 0; i < HostileText.ALL.size(); i++) {
            String text = HostileText.ALL.get(i);
            client.apply(
                    "hostile-work-" + i,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("workflow", "hostile-work-" + i)
                            .put("description", text)
                            .set(
                                    "steps",
                                    JsonNodeFactory.instance
                                            .arrayNode()
                                            .add(JsonNodeFactory.instance
                                                    .objectNode()
                                                    .put("id", "work")
                                                    .put("uses", "nobody")))
                            .toString());
            var input = JsonNodeFactory.instance.objectNode().put("text", text);
            start(client, "hostile-work-" + i, "hostile-run-" + i, input, text);
            client.operate("pause", new KeyRequest(text, text, null));
        }
    }

    /** Starts a run with the text as its input, and as a label where labels may have it. */
    private static void start(Client client, String workflow, String id, JsonNode input, String text)
            throws InterruptedException {
        IDS.add(id);
        try {
            client.start(new StartRunRequest(workflow, id, input, null, null, Map.of("text", text), null, null, text));
        } catch (RequestFailed.Refused refused) {
            client.start(StartRunRequest.of(workflow, id, input));
        }
    }

    private static Locator open(String address) {
        Locator main = CONSOLE.open(address);
        assertThat(CONSOLE.tab.page.locator(MADE_OF_TEXT).count()).as(address).isZero();
        CONSOLE.tab.assertNoFaults();
        return main;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void keys_are_shown_as_text() {
        open("/flow-control");
        for (String text : HostileText.ALL) {
            assertThat(open("/flow-control?key=" + encoded(text)).textContent())
                    .as("the page of a key")
                    .contains(text);
        }
    }

    @Test
    void descriptions_of_workflows_are_shown_as_text() {
        for (int i = 0; i < HostileText.ALL.size(); i++) {
            assertThat(open("/workflows?workflow=hostile-work-" + i).textContent())
                    .contains(HostileText.ALL.get(i));
        }
    }

    @Test
    void runs_are_shown_with_their_labels_and_inputs() {
        open("/runs");
        open("/");
        open("/workers");
        for (String id : IDS) {
            assertThat(open("/runs?run=" + id).textContent()).contains(id);
        }
    }
}
