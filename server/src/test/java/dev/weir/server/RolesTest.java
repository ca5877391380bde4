package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.state.Permission;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenScope;
import dev.weir.server.http.HttpServer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks every role against every route of a real server, as the OpenAPI document describes them. */
@Tag("R4.9")
class RolesTest {
    private static final TestNode NODE = new TestNode();

    @AfterAll
    static void close() {
        NODE.close();
    }

    static Stream<Arguments> rolesAndRoutes() {
        return withToken().flatMap(route -> Arrays.stream(Role.values()).map(role -> Arguments.of(role, route)));
    }

    static Stream<DocumentedRoute> withToken() {
        return DocumentedRoute.all().stream().filter(route -> !route.isPublic());
    }

    private static List<String> words(DocumentedRoute route, String field) {
        String permission = route.operation().path("x-permission").asString("");
        return DocumentedRoute.DOCUMENT
                .path("x-permissions")
                .path(permission)
                .path(field)
                .valueStream()
                .map(word -> word.stringValue())
                .toList();
    }

    private static TestNode.TestResponse send(DocumentedRoute route, String token) {
        return NODE.send(
                route.method(), route.pathWith("nobody", "a", "nothing"), route.takesBody() ? "{}" : null, token);
    }

    @ParameterizedTest
    @MethodSource("rolesAndRoutes")
    void a_route_answers_the_roles_that_it_names_and_refuses_the_others(Role role, DocumentedRoute route) {
        var got = send(route, "acme-" + role.word());
        boolean allowed = words(route, "roles").contains(role.word());
        assertThat(got.status() != 403)
                .as("%s as %s: %s", route, role.word(), got)
                .isEqualTo(allowed);
        if (!allowed) {
            assertThat(got.type()).isEqualTo("application/problem+json");
            assertThat(got.at("/type")).isEqualTo("/problems/forbidden");
            assertThat(got.at("/detail"))
                    .contains(
                            "expected a token with",
                            "found token 'acme-" + role.word() + "' with the role " + role.word());
            words(route, "roles")
                    .forEach(needed -> assertThat(got.at("/detail")).contains(needed));
        }
    }

    @ParameterizedTest
    @MethodSource("withToken")
    void the_document_says_what_the_server_requires(DocumentedRoute route) {
        Permission required = NODE.server.routes().stream()
                .filter(served ->
                        served.method().equals(route.method()) && served.path().equals(route.path()))
                .map(HttpServer.Route::permission)
                .map(Objects::requireNonNull)
                .findFirst()
                .orElseThrow();
        assertThat(route.operation().path("x-permission").asString("")).isEqualToIgnoringCase(required.name());
        assertThat(words(route, "roles"))
                .containsExactlyElementsOf(Arrays.stream(Role.values())
                        .filter(role -> Rights.of(role).permits(required))
                        .map(Role::word)
                        .toList());
        assertThat(words(route, "scopes"))
                .containsExactlyElementsOf(Arrays.stream(TokenScope.values())
                        .filter(scope -> scope.permissions().contains(required))
                        .map(TokenScope::word)
                        .toList());
        String description = route.operation().path("description").asString("");
        assertThat(description).contains(required == Permission.ADMINISTER ? "administrator" : "Needs the role");
        assertThat(route.statuses()).contains("403");
    }

    @Test
    void an_administrator_may_use_every_route() {
        withToken()
                .forEach(route -> assertThat(send(route, "acme-token").status())
                        .as(route.toString())
                        .isNotEqualTo(403));
    }

    @Test
    void a_scope_opens_a_route_to_another_role() {
        String plain =
                NODE.post("/v1/tokens", "{'name':'plain','role':'worker'}").at("/token");
        String limits = NODE.post("/v1/tokens", "{'name':'limits','role':'worker','scopes':['rate_limits.manage']}")
                .at("/token");
        String body = "{\"key\":\"k\",\"parallelism\":1}";
        assertThat(NODE.send("POST", "/v1/keys/pin", body, plain).status()).isEqualTo(403);
        assertThat(NODE.send("POST", "/v1/keys/pin", body, limits).status()).isEqualTo(200);
    }
}
