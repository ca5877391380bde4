package dev.weir.cli.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The Chromium of this machine, driven by Playwright. */
final class Chromium implements AutoCloseable {
    private static final List<String> FLAGS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");
    private static final List<String> USUAL_PLACES = List.of(
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome",
            "/usr/bin/google-chrome-stable",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium");

    private final Playwright playwright;
    final Browser browser;

    private Chromium(Path executable) {
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new LaunchOptions().setExecutablePath(executable).setArgs(FLAGS));
    }

    /** Starts Chromium. Without one, says so on standard error and skips the calling test. */
    static Chromium launch() {
        Optional<Path> executable = find();
        if (executable.isEmpty() || !isDriverPresent()) {
            System.err.println("""

                    SKIPPED: the tests of the console in a browser did not run, because there is no Chromium in one of
                    %s
                    Install one (Debian: apt install chromium), or set WEIR_CHROMIUM to its path and add -Pbrowser.
                    """.formatted(USUAL_PLACES));
            assumeTrue(false, "no Chromium");
        }
        return new Chromium(executable.orElseThrow());
    }

    private static Optional<Path> find() {
        return Stream.concat(Stream.ofNullable(System.getenv("WEIR_CHROMIUM")), USUAL_PLACES.stream())
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Tells if the Maven profile {@code browser} has added Playwright's driver, which is large. */
    private static boolean isDriverPresent() {
        return Chromium.class.getResource("/driver") != null;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
