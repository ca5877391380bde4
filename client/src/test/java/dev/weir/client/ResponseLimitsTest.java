package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.api.WireJson;
import dev.weir.api.Work.ClaimResult;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

/**
 * Tests that a client reads everything that its server can write. Otherwise a request could be carried out without
 * the client's knowledge.
 */
class ResponseLimitsTest {
    @Test
    void an_answer_may_be_deeper_than_a_request() {
        String input = "[".repeat(490) + "]".repeat(490);
        String text = "{\"claims\":[{\"run\":\"r\",\"step\":\"a\",\"module\":\"m\",\"fence\":1,\"attempt\":1,"
                + "\"lease\":\"5s\",\"input\":" + input + "}]}";
        assertThat(WireJson.LENIENT.readValue(text, ClaimResult.class).claims()).hasSize(1);
        assertThatThrownBy(() -> WireJson.STRICT.readTree(input)).isInstanceOf(JacksonException.class);
    }

    @Test
    void an_answer_may_be_longer_than_64_mib() {
        String piece = "\"" + "x".repeat(1 << 20) + "\"";
        String text = "[" + (piece + ",").repeat(64) + piece + "]";
        assertThat(WireJson.LENIENT.readTree(text)).hasSize(65);
    }
}
