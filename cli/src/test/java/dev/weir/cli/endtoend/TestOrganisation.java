package dev.weir.cli.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** An organisation of a node, and short methods for requests with one of its tokens. Quotes in bodies are single. */
final class TestOrganisation {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    final String name;
    private final String url;
    private final String token;

    /** The response to a request. */
    record TestResponse(int status, JsonNode body) {}

    TestOrganisation(String name, String url, String token) {
        this.name = name;
        this.url = url;
        this.token = token;
    }

    /** Creates another organisation, with the token of an administrator. */
    TestOrganisation create(String organisation) throws Exception {
        JsonNode created = post("/v1/organisations", "{'name': '" + organisation + "'}");
        return new TestOrganisation(
                organisation, url, created.at("/token/token").stringValue());
    }

    /** Returns the same organisation with a new token that has a role, and maybe a scope. */
    TestOrganisation as(String role, String scopes) throws Exception {
        String body = "{'name': '" + role + scopes.length() + "', 'role': '" + role + "', 'scopes': [" + scopes + "]}";
        return new TestOrganisation(
                name, url, post("/v1/tokens", body).get("token").stringValue());
    }

    TestResponse send(String method, String path, @Nullable String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        var response = HTTP.send(request, BodyHandlers.ofString());
        String text = response.body();
        return new TestResponse(
                response.statusCode(),
                text.isEmpty() ? MissingNode.getInstance() : JsonMapper.shared().readTree(text));
    }

    private JsonNode sendOk(String method, String path, @Nullable String body) throws Exception {
        TestResponse response = send(method, path, body);
        assertThat(response.status).as("%s %s: %s", method, path, response.body).isBetween(200, 202);
        return response.body;
    }

    JsonNode get(String path) throws Exception {
        return sendOk("GET", path, null);
    }

    JsonNode post(String path, String body) throws Exception {
        return sendOk("POST", path, body);
    }

    JsonNode put(String path, String body) throws Exception {
        return sendOk("PUT", path, body);
    }

    JsonNode limit(String path, String body) throws Exception {
        return sendOk("PATCH", path + "/limits", body);
    }

    /** Registers a workflow with one step, which workers do. */
    void define(String workflow, String limits) throws Exception {
        put(
                "/v1/workflows/" + workflow,
                "{'workflow': '" + workflow + "', 'limits': {" + limits + "}, 'steps': [{'id': 'a', 'uses': '"
                        + workflow + ".m', 'retry': {'max_attempts': 1}}]}");
    }

    void start(String workflow, String run) throws Exception {
        post("/v1/runs", "{'workflow': '" + workflow + "', 'id': '" + run + "'}");
    }

    String state(String run) throws Exception {
        return get("/v1/runs/" + run).get("state").stringValue();
    }

    List<String> states(String... runs) throws Exception {
        List<String> states = new ArrayList<>();
        for (String run : runs) {
            states.add(state(run));
        }
        return states;
    }

    /** Counts the runs of a workflow in a state, up to 200. */
    int count(String workflow, String state) throws Exception {
        return get("/v1/runs?limit=200&workflow=" + workflow + "&state=" + state)
                .get("runs")
                .size();
    }

    /** Returns numbers of the snapshot. */
    List<Long> usage(String... fields) throws Exception {
        JsonNode snapshot = get("/v1/org/snapshot");
        List<Long> numbers = new ArrayList<>();
        for (String field : fields) {
            numbers.add(snapshot.get(field).longValue());
        }
        return numbers;
    }

    /** Claims steps of workflows from {@link #define}. */
    List<JsonNode> claim(int limit, String... workflows) throws Exception {
        List<String> modules = new ArrayList<>();
        for (String workflow : workflows) {
            modules.add("'" + workflow + ".m'");
        }
        JsonNode claims = post(
                "/v1/claims",
                "{'modules': [" + String.join(", ", modules) + "], 'limit': " + limit
                        + ", 'lease': '10m', 'wait': '20s'}");
        return claims.get("claims").valueStream().toList();
    }

    /** Reports the result of a claim. */
    void report(JsonNode claim, String result) throws Exception {
        JsonNode results = post(
                "/v1/updates",
                "{'updates': [{'run': '" + claim.get("run").stringValue() + "', 'step': '"
                        + claim.get("step").stringValue() + "', 'fence': " + claim.get("fence") + ", 'result': '"
                        + result + "'}]}");
        assertThat(results.at("/results/0/outcome").stringValue()).isEqualTo("applied");
    }

    /** Returns the texts of a field of a list's entries. */
    static List<String> texts(JsonNode list, String field) {
        return list.valueStream().map(entry -> entry.path(field).asString("")).toList();
    }
}
