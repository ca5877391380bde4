package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContractTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    static List<DocumentedRoute> documented() {
        return DocumentedRoute.all();
    }

    @Test
    void every_path_that_is_answered_is_documented_and_every_documented_one_is_answered() {
        var answered = NODE.server.routes().stream().map(route -> route.method() + " " + route.path());
        assertThat(documented())
                .extracting(DocumentedRoute::toString)
                .containsExactlyInAnyOrderElementsOf(answered.toList());
    }

    @ParameterizedTest
    @MethodSource("documented")
    void every_documented_path_answers_in_a_documented_way(DocumentedRoute route) {
        String body = route.takesBody() ? "{}" : null;
        var got = NODE.send(route.method(), route.pathWith("nobody", "a", "nothing"), body, "acme-token");
        assertThat(route.statuses()).as("%s: %s", route, got).contains(String.valueOf(got.status()));
        assertThat(got.type()).as("%s", got).matches(type -> type.contains("json") || got.status() == 200);
    }

    @Test
    void every_route_answers_success_with_what_its_schema_says_and_nothing_else() {
        try (var node = new TestNode()) {
            var walkthrough = new ApiWalkthrough(node);
            walkthrough.run();
            assertThat(walkthrough.differences())
                    .containsExactlyInAnyOrderEntriesOf(documented().stream()
                            .collect(Collectors.toMap(DocumentedRoute::toString, route -> List.of())));
        }
    }

    @Test
    void a_field_that_the_document_does_not_name_is_a_difference() {
        DocumentedRoute health = DocumentedRoute.find("GET", "/health/live").orElseThrow();
        var got = new TestNode.TestResponse(
                200, "application/json", "{\"status\":\"ok\",\"findings\":[],\"extra\":1}", Map.of());
        assertThat(ResponseSchemas.differences(health, got))
                .singleElement(STRING)
                .contains("extra");
        var wrong = new TestNode.TestResponse(200, "application/json", "{\"status\":\"fine\"}", Map.of());
        assertThat(ResponseSchemas.differences(health, wrong)).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("documented")
    void only_open_paths_answer_without_a_token(DocumentedRoute route) {
        for (String header : List.of("Bearer nobody", "Bearer ", "Basic YTpi", "acme-token")) {
            var request =
                    NODE.request(route.method(), route.pathWith("r", "a", "w")).header("Authorization", header);
            var got = NODE.send(request, route.method(), null);
            assertThat(got.status() == 401)
                    .as("%s with %s: %s", route, header, got)
                    .isNotEqualTo(route.isPublic());
            if (!route.isPublic()) {
                assertThat(got.type()).isEqualTo("application/problem+json");
                assertThat(got.headers()).containsKey("www-authenticate");
            }
        }
    }

    @Test
    void the_document_is_openapi_3_1_and_refers_to_nothing_that_is_not_there() {
        var got = NODE.get("/v1/openapi.json");
        assertThat(got.at("/openapi")).startsWith("3.1");
        for (String reference : got.json().findValuesAsString("$ref")) {
            assertThat(got.json().at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse();
        }
    }

    @Test
    void the_document_says_that_a_node_may_not_be_ready() {
        var ready = NODE.get("/v1/openapi.json").json().at("/paths/~1health~1ready/get/responses");
        assertThat(ready.propertyNames()).containsExactlyInAnyOrder("200", "503");
    }

    @Test
    void an_unknown_path_and_a_wrong_method_are_problems() {
        assertThat(NODE.get("/v1/nothing").status()).isEqualTo(404);
        assertThat(NODE.get("/v1/nothing").type()).isEqualTo("application/problem+json");
        assertThat(NODE.get("/v1/claims").status()).isEqualTo(405);
        assertThat(NODE.get("/v1/claims").type()).isEqualTo("application/problem+json");
    }

    @Test
    void metrics_are_in_the_format_of_prometheus() {
        NODE.get("/v1/runs");
        assertThat(NODE.get("/metrics").body())
                .contains("weir_http_requests_seconds_count{method=\"GET\",path=\"/v1/runs\",status=\"200\"}");
    }
}
