package dev.weir.cli.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import dev.weir.api.Tokens.RevokeRequest;
import dev.weir.api.Tokens.TokenRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signing in to the console and out of it. */
class SignInTest {
    @RegisterExtension
    static final SharedConsole CONSOLE = SharedConsole.as("viewer");

    /** The session ends within five seconds after its token, and the page asks every two. */
    private static final int END_MAX_MILLIS = 30_000;

    private static Page page() {
        return CONSOLE.tab.page;
    }

    private static Locator frame() {
        return page().locator(".frame");
    }

    private static String createToken(String name) throws InterruptedException {
        return CONSOLE.client()
                .governance()
                .createToken(TokenRequest.of(name, "viewer"))
                .token();
    }

    private static void enter(String token) {
        page().getByLabel("API token").fill(token);
        CONSOLE.button("Sign in").click();
    }

    @BeforeEach
    void sign_out() {
        page().context().clearCookies();
        page().navigate("about:blank");
    }

    @Test
    void a_wrong_token_is_refused_and_a_right_one_shows_the_page_that_was_asked_for() throws InterruptedException {
        page().navigate("/workflows?archived=true");
        enter("weir_wrong");
        assertThat(page().getByRole(AriaRole.ALERT)).containsText("neither revoked nor expired");
        enter("two words");
        assertThat(page().getByRole(AriaRole.ALERT)).containsText("without spaces");
        enter(createToken("right"));
        assertThat(frame()).isVisible();
        assertThat(page()).hasURL(CONSOLE.url() + "/workflows?archived=true");
        assertThat(page().getByLabel("show archived")).isChecked();
    }

    @Test
    void the_session_is_out_of_reach_of_scripts() throws InterruptedException {
        page().navigate("/");
        String token = createToken("unreadable");
        enter(token);
        assertThat(frame()).isVisible();
        assertThat(page().evaluate("document.cookie")).isEqualTo("");
        assertThat(page().evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"))
                .asString()
                .doesNotContain(token)
                .doesNotContain("weir_session");
        Cookie cookie = page().context().cookies().getFirst();
        assertThat(cookie.httpOnly).isTrue();
        assertThat(cookie.sameSite.name()).isEqualTo("STRICT");
    }

    @Test
    void a_link_signs_in_once_and_its_code_leaves_the_address() throws InterruptedException {
        String link = CONSOLE.client().governance().createSignInLink().url();
        page().navigate(link);
        assertThat(frame()).isVisible();
        assertThat(page()).hasURL(CONSOLE.url() + "/");
        sign_out();
        page().navigate(link);
        assertThat(page().getByRole(AriaRole.ALERT)).containsText("that nobody has used yet");
        assertThat(page()).hasURL(CONSOLE.url() + "/");
    }

    @Test
    void signing_out_ends_the_session() throws InterruptedException {
        page().navigate("/");
        enter(createToken("leaves"));
        assertThat(frame()).isVisible();
        List<Cookie> cookies = page().context().cookies();
        CONSOLE.button("default ▾").click();
        page().getByRole(AriaRole.MENUITEM, new Page.GetByRoleOptions().setName("Sign out leaves"))
                .click();
        assertThat(page().getByLabel("API token")).isVisible();
        page().context().addCookies(cookies);
        assertThat(page().evaluate("async () => (await fetch('/v1/session')).status"))
                .as("the session itself, not only its cookie")
                .isEqualTo(401);
    }

    @Test
    void a_page_whose_token_is_revoked_asks_for_another_one() throws InterruptedException {
        page().navigate("/runs");
        enter(createToken("ends"));
        assertThat(frame()).isVisible();
        CONSOLE.client().governance().revokeToken("ends", new RevokeRequest("lost"));
        assertThat(page().getByRole(AriaRole.ALERT))
                .containsText(
                        "Your session has ended",
                        new LocatorAssertions.ContainsTextOptions().setTimeout(END_MAX_MILLIS));
        assertThat(page()).hasURL(CONSOLE.url() + "/runs");
    }
}
