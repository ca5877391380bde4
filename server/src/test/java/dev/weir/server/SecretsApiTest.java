package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SecretsApiTest {
    private static final String VALUE = "open-sesame-4711";
    private final TestNode node = new TestNode();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void a_secret_is_set_listed_and_deleted_and_no_answer_or_audit_shows_its_value() {
        var set = node.put("/v1/secrets/BILLING", "{'value':'" + VALUE + "'}");
        assertThat(set.status()).isEqualTo(200);
        assertThat(node.put("/v1/secrets/BILLING", "{'value':'" + VALUE + "2'}").at("/version"))
                .isEqualTo("2");
        var listed = node.get("/v1/secrets");
        assertThat(listed.at("/secrets/0/name")).isEqualTo("BILLING");
        var audit = node.get("/v1/audit?target=secret:BILLING");
        assertThat(audit.json().findValuesAsString("action")).containsExactly("set_secret", "set_secret");
        for (var got :
                new TestNode.TestResponse[] {set, listed, audit, node.get("/metrics"), node.get("/v1/metrics")}) {
            assertThat(got.body()).doesNotContain(VALUE);
        }
        assertThat(node.post("/v1/secrets/BILLING/delete", "{}").at("/outcome")).isEqualTo("deleted");
        assertThat(node.post("/v1/secrets/BILLING/delete", "{}").status()).isEqualTo(404);
        assertThat(node.get("/v1/secrets").json().at("/secrets").size()).isZero();
    }

    @Test
    void bad_values_are_refused_without_repeating_them() {
        var longValue = node.put("/v1/secrets/LONG", "{'value':'" + VALUE.repeat(2_000) + "'}");
        assertThat(longValue.status()).isEqualTo(400);
        assertThat(longValue.at("/errors/0/pointer")).isEqualTo("/value");
        assertThat(longValue.body()).doesNotContain(VALUE);
        assertThat(node.put("/v1/secrets/BAD-NAME", "{'value':'v'}").status()).isEqualTo(400);
        assertThat(node.put("/v1/secrets/EMPTY", "{'value':''}").status()).isEqualTo(400);
        var unknown = node.put("/v1/secrets/X", "{'value':'" + VALUE + "','valeu':'" + VALUE + "'}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.body()).doesNotContain(VALUE);
        var number = node.put("/v1/secrets/X", "{'value':47114711}");
        assertThat(number.body()).doesNotContain("47114711");
    }

    @Test
    void another_organisation_sees_nothing_of_a_secret() {
        node.put("/v1/secrets/BILLING", "{'value':'" + VALUE + "'}");
        var others = node.send("GET", "/v1/secrets", null, "other-token");
        assertThat(others.json().at("/secrets").size()).isZero();
        assertThat(node.send("POST", "/v1/secrets/BILLING/delete", "{}", "other-token")
                        .status())
                .isEqualTo(404);
        assertThat(node.send("GET", "/v1/secrets", null, "acme-operator").status())
                .isEqualTo(403);
    }
}
