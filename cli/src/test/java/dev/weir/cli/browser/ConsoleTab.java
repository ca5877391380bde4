package dev.weir.cli.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tab with the console. It remembers every error and every violation of the content security policy. */
final class ConsoleTab implements AutoCloseable {
    static final int WIDE = 1280;
    static final int NARROW = 400;
    private static final int HEIGHT = 860;
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String AXE = "/axe.min.js";
    private static final String REPORT_VIOLATIONS = """
        window.cspReports = [];
        document.addEventListener("securitypolicyviolation", (e) =>
            window.cspReports.push(e.violatedDirective + " " + e.blockedURI + " " + e.sample));
        """;
    /** Runs axe, and returns one line for each serious or critical finding. */
    private static final String FIND_SERIOUS = """
        async () => {
          const results = await axe.run(document, { resultTypes: ["violations"] });
          return results.violations
            .filter((one) => one.impact === "serious" || one.impact === "critical")
            .map((one) => one.id + ": " + one.nodes.map((node) => node.html + " " + node.failureSummary).join(" | "));
        }
        """;

    private final BrowserContext context;
    final Page page;
    private final List<String> faults = new CopyOnWriteArrayList<>();

    ConsoleTab(Chromium chromium, String url) {
        this(chromium, url, WIDE, ColorScheme.LIGHT);
    }

    private ConsoleTab(Chromium chromium, String url, int width, ColorScheme colours) {
        this.context = chromium.browser.newContext(new NewContextOptions()
                .setBaseURL(url)
                .setViewportSize(width, HEIGHT)
                .setColorScheme(colours)
                .setTimezoneId("Europe/Berlin"));
        context.addInitScript(REPORT_VIOLATIONS);
        this.page = context.newPage();
        page.onConsoleMessage(this::remember);
        page.onPageError(faults::add);
        page.onDialog(dialog -> {
            faults.add("a dialog of the browser: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(url) && !request.url().startsWith("data:")) {
                faults.add("a request to another server: " + request.url());
            }
        });
    }

    private void remember(ConsoleMessage message) {
        if (message.type().equals("error")) {
            faults.add(message.text() + " " + message.location());
        }
    }

    /** Signs in with a token, as a user does. */
    void signIn(String token) {
        page.navigate("/");
        page.getByLabel("API token").fill(token);
        page.getByRole(com.microsoft.playwright.options.AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        page.locator(".frame").waitFor();
        faults.clear(); // Chromium reports the answer 401 that told the page to ask for a token.
    }

    /** Opens an address of the console, and waits until its data is there. */
    void open(String address) {
        page.navigate(address);
        page.waitForLoadState(LoadState.LOAD);
        page.locator(".frame main > *").first().waitFor();
        page.waitForFunction("() => !document.querySelector('main [aria-busy=true]')");
    }

    void show(int width, ColorScheme colours) {
        page.setViewportSize(width, HEIGHT);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
    }

    /** Writes a picture of the visible part to {@code target/screenshots}. */
    void shoot(String name) {
        page.screenshot(new ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    /** Forgets that Chromium has reported answers with this status, which the page has shown to the user. */
    void forgetAnswers(int status) {
        assertThat(faults).as("answers with status " + status).anyMatch(fault -> fault.contains("status of " + status));
        faults.removeIf(fault -> fault.contains("status of " + status));
    }

    void assertNoFaults() {
        assertThat(faults).as("errors at " + page.url()).isEmpty();
        assertThat(page.evaluate("window.cspReports"))
                .as("violations at " + page.url())
                .isEqualTo(List.of());
    }

    void assertAccessible() throws IOException {
        page.evaluate(axe());
        assertThat(page.evaluate(FIND_SERIOUS)).as("axe at " + page.url()).isEqualTo(List.of());
    }

    /** Asserts that nothing is wider than the window. */
    void assertNothingCutOff() {
        assertThat(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
                .as("pixels too wide at " + page.url())
                .isEqualTo(0);
    }

    /** Asks the API with the session of this tab. */
    @SuppressWarnings("unchecked")
    Map<String, Object> get(String path) {
        return (Map<String, Object>) page.evaluate("async (path) => (await fetch(path)).json()", path);
    }

    private static String axe() throws IOException {
        try (InputStream in = ConsoleTab.class.getResourceAsStream(AXE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
