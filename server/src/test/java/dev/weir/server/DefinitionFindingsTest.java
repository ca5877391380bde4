package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests the findings about accepted fields that have no effect, or another effect than the author may expect. */
class DefinitionFindingsTest {
    private static final TestNode NODE = new TestNode();
    private static final String DEFINITION = "{'workflow':'w','on':[{'id':'t','event':'e'}],'steps':["
            + "{'id':'a','invoke':{'workflow':'v','input':{}},'flow_control':{'key':'k','parallelism':1}}]}";

    @AfterAll
    static void close() {
        NODE.close();
    }

    @Test
    void a_registration_reports_fields_that_have_no_effect() {
        for (int status : new int[] {201, 200}) {
            var got = NODE.put("/v1/workflows/w", DEFINITION);
            assertThat(got.status()).isEqualTo(status);
            check(got);
        }
        assertThat(NODE.post("/v1/workflows/validate", DEFINITION).status()).isEqualTo(200);
        check(NODE.post("/v1/workflows/validate", DEFINITION));
    }

    private static void check(TestNode.TestResponse got) {
        assertThat(got.json().get("findings").findValuesAsString("pointer")).containsExactly("/steps/0/flow_control");
        assertThat(got.at("/findings/0/message")).contains("limits the starts of child runs");
        assertThat(got.json().at("/findings/0/line").asInt()).isEqualTo(1);
        assertThat(got.json().at("/findings/0/column").asInt()).isEqualTo(DEFINITION.indexOf("'flow_control'") + 1);
    }

    @Test
    void a_definition_whose_fields_all_have_an_effect_has_no_findings() {
        var got = NODE.put("/v1/workflows/plain", "{'workflow':'plain','steps':[{'id':'a','uses':'m'}]}");
        assertThat(got.json().get("findings").size()).isZero();
    }
}
