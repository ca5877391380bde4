package dev.weir.engine.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.state.Update;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class SecretRedactorTest {
    private final SecretRedactor redactor =
            new SecretRedactor(List.of("canary", "a b/\"c\"", "canary-2", "abc", "123456"));

    @Test
    void a_value_is_hidden_however_it_is_spelled() {
        assertThat(redactor.redact("x canary y")).isEqualTo("x *** y");
        assertThat(redactor.redact("/?q=a+b%2F%22c%22&r=a%20b%2F%22c%22")).isEqualTo("/?q=***&r=***");
        assertThat(redactor.redact("{\"echo\":\"a b/\\\"c\\\"\"}")).isEqualTo("{\"echo\":\"***\"}");
        assertThat(redactor.redact("http://Canary.example")).isEqualTo("http://***.example");
        assertThat(redactor.redact("canary-2")).as("the longer one first").isEqualTo("***");
        assertThat(redactor.redact("abc")).as("too short to be a secret").isEqualTo("abc");
    }

    @Test
    void secrets_in_names_texts_and_numbers_of_json_are_redacted() {
        var json = JsonMapper.shared().readTree("{\"canary\":[\"my canary\",{\"n\":9123456,\"m\":5,\"t\":true}]}");
        assertThat(redactor.redact(json).toString())
                .isEqualTo("{\"***\":[\"my ***\",{\"n\":\"***\",\"m\":5,\"t\":true}]}");
    }

    @Test
    void a_failure_keeps_all_but_the_secret() {
        var failed = new Update.Failed("429 from canary", false, 5_000_000, 429);
        assertThat(redactor.redact(failed)).isEqualTo(new Update.Failed("429 from ***", false, 5_000_000, 429));
    }

    @Test
    void a_secret_that_is_not_known_is_named() {
        var late = List.of(new RenderedTemplate.SecretText("/a", List.of(new RenderedTemplate.Part(true, "BILLING"))));
        var rendered = new RenderedTemplate(JsonMapper.shared().readTree("{\"a\":null}"), late);
        assertThat(ResolvedInput.of(rendered, "acme", (org, name) -> Optional.of(org + name + "!"))
                        .input()
                        .toString())
                .isEqualTo("{\"a\":\"acmeBILLING!\"}");
        assertThatThrownBy(() -> ResolvedInput.of(rendered, "acme", SecretSource.none()))
                .isInstanceOf(SecretFailure.class)
                .hasMessageContaining("BILLING");
    }

    @Test
    void a_masked_text_is_as_long_as_before() {
        var umlauts = new SecretRedactor(List.of("geheimnis-äöü"));
        assertThat(umlauts.mask("x geheimnis-äöü y")).isEqualTo("x **************** y");
        assertThat(redactor.mask("nothing here")).isEqualTo("nothing here");
    }

    @Test
    void a_part_of_a_value_at_an_edge_of_a_masked_text_is_hidden() {
        var secret = new SecretRedactor(List.of("canary-4711"));
        assertThat(secret.mask("said cana")).isEqualTo("said ****");
        assertThat(secret.mask("ry-4711 was said")).isEqualTo("******* was said");
        assertThat(secret.mask("ry-4711 and canary-")).isEqualTo("******* and *******");
        assertThat(secret.mask("ary-47")).as("the middle alone").isEqualTo("ary-47");
        assertThat(secret.mask("said can")).as("too few characters").isEqualTo("said can");
    }

    @Test
    void an_input_with_too_many_or_too_long_secrets_is_refused() {
        var parts = new java.util.ArrayList<RenderedTemplate.Part>();
        for (int i = 0; i < 65; i++) {
            parts.add(new RenderedTemplate.Part(true, "S" + i));
        }
        var many = new RenderedTemplate(
                JsonMapper.shared().readTree("{\"a\":null}"), List.of(new RenderedTemplate.SecretText("/a", parts)));
        assertThatThrownBy(() -> ResolvedInput.of(many, "acme", (org, name) -> Optional.of("v")))
                .hasMessageContaining("at most 64 different secrets");
        var often = new RenderedTemplate(
                JsonMapper.shared().readTree("{\"a\":null}"),
                List.of(new RenderedTemplate.SecretText("/a", java.util.Collections.nCopies(300, parts.getFirst()))));
        assertThatThrownBy(() -> ResolvedInput.of(often, "acme", (org, name) -> Optional.of("v".repeat(1_000))))
                .hasMessageContaining("at most 262144 characters of secrets");
    }
}
