package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokensApiTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void close() {
        node.close();
    }

    private String create(String body) {
        var got = node.post("/v1/tokens", body);
        assertThat(got.status()).as(got.toString()).isEqualTo(201);
        return got.at("/token");
    }

    @Test
    void a_token_is_shown_once_works_and_is_listed_without_its_value() {
        String token = create("{'name':'shop','role':'starter','expires_in':'90d'}");
        assertThat(token).startsWith("weir_").hasSizeGreaterThan(40);
        assertThat(node.send("GET", "/v1/runs", null, token).status()).isEqualTo(200);
        assertThat(node.send("POST", "/v1/keys/pause", "{\"key\":\"k\"}", token).status())
                .isEqualTo(403);
        var list = node.get("/v1/tokens");
        assertThat(list.at("/tokens/0/name")).isEqualTo("shop");
        assertThat(list.at("/tokens/0/role")).isEqualTo("starter");
        assertThat(list.at("/tokens/0/created_by")).isEqualTo("test");
        assertThat(list.at("/tokens/0/expires_at")).isNotEmpty();
        assertThat(list.body()).doesNotContain(token);
    }

    @Test
    void a_rotated_or_revoked_token_does_not_work_any_more() {
        String first = create("{'name':'shop','role':'viewer'}");
        String second = node.post("/v1/tokens/shop/rotate", "").at("/token");
        assertThat(node.send("GET", "/v1/runs", null, first).status()).isEqualTo(401);
        assertThat(node.send("GET", "/v1/runs", null, second).status()).isEqualTo(200);
        assertThat(node.post("/v1/tokens/shop/revoke", "{'reason':'lost'}").at("/outcome"))
                .isEqualTo("revoked");
        assertThat(node.send("GET", "/v1/runs", null, second).status()).isEqualTo(401);
        var again = node.post("/v1/tokens/shop/revoke", "");
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.at("/detail")).isEqualTo("token not found: shop");
    }

    @Test
    void the_same_key_rotates_once() {
        create("{'name':'shop','role':'viewer'}");
        var rotate = node.request("POST", "/v1/tokens/shop/rotate")
                .header("Authorization", "Bearer acme-token")
                .header("Idempotency-Key", "rotate-1");
        var first = node.send(rotate, "POST", null);
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.headers().get("x-request-id")).containsExactly("rotate-1");
        assertThat(node.send(rotate, "POST", null).status()).isEqualTo(409);
        assertThat(node.send("GET", "/v1/runs", null, first.at("/token")).status())
                .isEqualTo(200);
    }

    @Test
    void nobody_gives_or_takes_more_rights_than_their_own() {
        create("{'name':'root','role':'admin','administrator':true}");
        for (String path : new String[] {"/v1/tokens/root/rotate", "/v1/tokens/root/revoke"}) {
            assertThat(node.send("POST", path, null, "acme-admin").status()).isEqualTo(403);
        }
        var more = node.send(
                "POST", "/v1/tokens", "{\"name\":\"x\",\"role\":\"admin\",\"administrator\":true}", "acme-admin");
        assertThat(more.status()).isEqualTo(403);
        assertThat(more.at("/detail"))
                .contains("at least the rights admin + administrator", "found token 'acme-admin' with the role admin");
        assertThat(node.send("POST", "/v1/tokens", "{\"name\":\"y\",\"role\":\"admin\"}", "acme-admin")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void bad_input_is_refused_with_its_position() {
        create("{'name':'shop','role':'viewer'}");
        assertThat(node.post("/v1/tokens", "{'name':'shop','role':'viewer'}").status())
                .isEqualTo(409);
        assertInvalid("{'name':'a/b','role':'viewer'}", "/name");
        assertInvalid("{'name':'a','role':'boss'}", "/role");
        assertInvalid("{'name':'a','role':'viewer','scopes':['audit.read','all']}", "/scopes/1");
        assertInvalid("{'name':'a','role':'viewer','expires_in':'0s'}", "/expires_in");
        assertInvalid("{'name':'a','role':'viewer','expires_in':'soon'}", "/expires_in");
        assertInvalid("{'role':'viewer'}", "/name");
        var overlap = node.post("/v1/tokens/shop/rotate", "{'overlap':'400d'}");
        assertThat(overlap.status()).isEqualTo(400);
        assertThat(overlap.at("/errors/0/pointer")).isEqualTo("/overlap");
    }

    private void assertInvalid(String body, String pointer) {
        var got = node.post("/v1/tokens", body);
        assertThat(got.status()).as(got.toString()).isEqualTo(400);
        assertThat(got.at("/errors/0/pointer")).isEqualTo(pointer);
    }

    @Test
    void tokens_are_listed_page_by_page() {
        for (int i = 0; i < 5; i++) {
            create("{'name':'t" + i + "','role':'viewer'}");
        }
        var first = node.get("/v1/tokens?limit=3");
        assertThat(first.json().get("tokens")).hasSize(3);
        var second = node.get("/v1/tokens?limit=3&cursor=" + first.at("/next"));
        assertThat(second.at("/tokens/0/name")).isEqualTo("t3");
        assertThat(second.json().has("next")).isFalse();
    }
}
