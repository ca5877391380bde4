package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.expression.Rendered;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class VeilTest {
    private final Veil veil = new Veil(List.of("canary", "a b/\"c\"", "canary-2", "abc", "123456"));

    @Test
    void a_value_is_hidden_however_it_is_spelled() {
        assertThat(veil.over("x canary y")).isEqualTo("x *** y");
        assertThat(veil.over("/?q=a+b%2F%22c%22&r=a%20b%2F%22c%22")).isEqualTo("/?q=***&r=***");
        assertThat(veil.over("{\"echo\":\"a b/\\\"c\\\"\"}")).isEqualTo("{\"echo\":\"***\"}");
        assertThat(veil.over("http://Canary.example")).isEqualTo("http://***.example");
        assertThat(veil.over("canary-2")).as("the longer one first").isEqualTo("***");
        assertThat(veil.over("abc")).as("too short to be a secret").isEqualTo("abc");
    }

    @Test
    void names_texts_and_numbers_of_json_are_looked_at() {
        var json = JsonMapper.shared().readTree("{\"canary\":[\"my canary\",{\"n\":9123456,\"m\":5,\"t\":true}]}");
        assertThat(veil.over(json).toString()).isEqualTo("{\"***\":[\"my ***\",{\"n\":\"***\",\"m\":5,\"t\":true}]}");
    }

    @Test
    void a_secret_that_is_not_known_is_named() {
        var late = List.of(new Rendered.Late("/a", List.of(new Rendered.Part(true, "BILLING"))));
        var rendered = new Rendered(JsonMapper.shared().readTree("{\"a\":null}"), late);
        assertThat(Revealed.of(rendered, "acme", (org, name) -> Optional.of(org + name + "!"))
                        .input()
                        .toString())
                .isEqualTo("{\"a\":\"acmeBILLING!\"}");
        assertThatThrownBy(() -> Revealed.of(rendered, "acme", Secrets.none()))
                .isInstanceOf(MissingSecret.class)
                .hasMessageContaining("BILLING");
    }
}
