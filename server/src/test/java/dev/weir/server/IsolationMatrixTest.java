package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.api.WireJson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends every documented route every kind of id of another organisation, on a real PostgreSQL server. Two organisations
 * with the same contents send the same requests in the same order: one with ids of a third organisation, the other with
 * ids that nobody has. Both must get the same responses, and the third organisation must not change.
 */
@Tag("R4.9")
@Tag("S9")
class IsolationMatrixTest {
    static final String WITH_FOREIGN = "anna";
    static final String WITH_UNKNOWN = "bert";
    private static final String FOREIGN = "zora";

    /**
     * The words that begin each id of the requesting organisations, of the third one, and of nobody. The last two are
     * equally unlike the first, and both come after it, for suggestions of names and for pages.
     */
    private static final String OWN_WORD = "owner";

    static final String FOREIGN_WORD = "zebra";
    static final String UNKNOWN_WORD = "yacht";

    private static PostgresNode node;
    /** The ids that Weir itself has given to things of the third organisation, by the name of the parameter. */
    static final Map<String, String> GIVEN_IDS = new TreeMap<>();

    @BeforeAll
    static void open() {
        node = new PostgresNode("isolation");
        fill(WITH_FOREIGN, OWN_WORD);
        fill(WITH_UNKNOWN, OWN_WORD);
        fill(FOREIGN, FOREIGN_WORD);
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static String json(String text, String word) {
        return text.replace('\'', '"').replace(OWN_WORD, word);
    }

    /** Gives an organisation something of every kind. Each name begins with the word. */
    private static void fill(String org, String word) {
        node.createOrganisation(org);
        if (org.equals(FOREIGN)) {
            // Dead letters are counted per organisation; these have numbers that no other one has.
            node.execute("update weir.organisations set last_dead_letter = 7000 where name = '" + FOREIGN + "'");
        }
        node.require(org, "PUT", "/v1/workflows/" + word + "-workflow", json("""
                {'workflow':'owner-workflow','steps':[{'id':'owner-step','uses':'owner-module',
                 'flow_control':{'key':'owner-key','parallelism':1}}]}""", word));
        for (String run : List.of("run", "waits", "done")) {
            node.require(
                    org,
                    "POST",
                    "/v1/runs",
                    json(
                            "{'workflow':'owner-workflow','id':'owner-" + run + "','labels':{'team':'owner-label'}}",
                            word));
        }
        node.require(org, "POST", "/v1/runs/" + word + "-done/cancel", "{}");
        node.require(org, "POST", "/v1/claims", json("""
                {'modules':[{'id':'owner-module'}],'worker':'owner-worker','request_id':'owner-request',
                 'lease':'1h'}""", word));
        node.require(org, "POST", "/v1/logs", json("""
                {'logs':[{'run':'owner-run','step':'owner-step','fence':1,'from':0,'text':'owner-text'}]}""", word));
        node.require(org, "POST", "/v1/keys/pin", json("{'key':'owner-key','parallelism':1}", word));
        node.require(org, "POST", "/v1/keys/pin", json("{'key':'owner-second-key','parallelism':1}", word));
        node.require(org, "POST", "/v1/tokens", json("{'name':'owner-token','role':'viewer'}", word));
        node.require(org, "POST", "/v1/events", json("{'id':'owner-event','event':'owner-event'}", word));
        addDeadLetter(org, word);
        JsonNode operation =
                node.require(org, "POST", "/v1/runs/cancel", json("{'filter':{'ids':['owner-done']}}", word));
        String operationId = operation.get("id").stringValue();
        await().until(() -> node.require(org, "GET", "/v1/bulk/" + operationId, null)
                .get("state")
                .stringValue()
                .equals("completed"));
        if (org.equals(FOREIGN)) {
            GIVEN_IDS.put("operation", operationId);
            GIVEN_IDS.put(
                    "head",
                    node.require(org, "GET", "/v1/audit/verify", null)
                            .get("head")
                            .stringValue());
        }
    }

    /** Lets a run fail for good. */
    private static void addDeadLetter(String org, String word) {
        node.require(org, "PUT", "/v1/workflows/" + word + "-fails", json("""
                {'workflow':'owner-fails','steps':[{'id':'owner-step','uses':'owner-failing'}]}""", word));
        node.require(org, "POST", "/v1/runs", json("{'workflow':'owner-fails','id':'owner-dead'}", word));
        node.require(org, "POST", "/v1/claims", json("{'modules':[{'id':'owner-failing'}],'lease':'1h'}", word));
        node.require(org, "POST", "/v1/updates", json("""
                {'updates':[{'run':'owner-dead','step':'owner-step','fence':1,'result':'failed','error':'owner-error',
                 'permanent':true}]}""", word));
        JsonNode letters = node.require(org, "GET", "/v1/dead-letters", null).get("dead_letters");
        if (org.equals(FOREIGN)) {
            GIVEN_IDS.put("letter", letters.get(0).get("id").stringValue());
        }
    }

    private static String value(DocumentedRoute route, RouteParameters.Parameter parameter, String name, String word) {
        return switch (name) {
            case "operation" ->
                word.equals(FOREIGN_WORD)
                        ? String.valueOf(GIVEN_IDS.get(name))
                        : "bulk-00000000-0000-4000-8000-000000000000";
            case "head" -> head(word);
            case "label" -> "team=" + word + "-label";
            case "prefix" -> word;
            case "actor", "started_by" -> word + "-token";
            case "target" -> "key:" + word + "-key";
            case "id" ->
                route.path().startsWith("/v1/events")
                        ? word + "-event"
                        : parameter.path().contains("modules") ? word + "-module" : word + "-waits";
            case "letter" -> letter(word);
            case "secret" -> word + "_secret";
            case "ids" -> route.path().startsWith("/v1/dead-letters") ? letter(word) : word + "-waits";
            case "steps", "targets" -> word + "-step";
            case "module_ids" -> word + "-module";
            case "request_id" -> word + "-request";
            case "name" -> parameter.path().contains("modules") ? word + "-module" : word + "-token";
            default -> word + "-" + name;
        };
    }

    /** The number of a dead letter: that of the third organisation, or one that nobody has. */
    private static String letter(String word) {
        return word.equals(FOREIGN_WORD) ? String.valueOf(GIVEN_IDS.get("letter")) : "9001";
    }

    /** A head of an audit chain: that of the third organisation, or one of the same length that nobody has. */
    private static String head(String word) {
        String foreign = String.valueOf(GIVEN_IDS.get("head"));
        return word.equals(FOREIGN_WORD) ? foreign : foreign.substring(0, foreign.indexOf(':') + 1) + "0".repeat(64);
    }

    private record Request(
            String method, String path, @Nullable String body, Map<String, String> headers) {}

    private static Request request(DocumentedRoute route, RouteParameters.Parameter parameter, String word) {
        String path = route.path();
        Map<String, String> query = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        ObjectNode body = body(route);
        for (RouteParameters.Parameter each : RouteParameters.ids(route)) {
            boolean isAsked = each.equals(parameter);
            switch (each.place()) {
                case PATH -> {
                    for (String name : each.path()) {
                        path = path.replace("{" + name + "}", value(route, each, name, isAsked ? word : OWN_WORD));
                    }
                }
                case QUERY -> {
                    if (isAsked && each.name().equals("cursor")) {
                        query.put("cursor", foreignCursor(route));
                    } else if (isAsked || isRequired(route, each.name())) {
                        query.put(each.name(), value(route, each, each.name(), isAsked ? word : OWN_WORD));
                    }
                }
                case HEADER -> {
                    if (isAsked) {
                        headers.put(each.name(), headerValue(each, word));
                    }
                }
                case BODY -> {
                    if (isAsked && body != null) {
                        set(body, each, value(route, each, each.name(), word));
                    }
                }
            }
        }
        if (body != null) {
            complete(body, route, parameter, word);
        }
        String text = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return new Request(
                route.method(),
                text.isEmpty() ? path : path + "?" + text,
                body == null ? null : body.toString(),
                headers);
    }

    /** Changes what must fit the parameter in a valid request. */
    private static void complete(
            ObjectNode body, DocumentedRoute route, RouteParameters.Parameter parameter, String word) {
        switch (route + " " + parameter) {
            case "POST /v1/what-if BODY change.pin.key" -> {
                body.withObject("/change").remove("limits");
                body.withObject("/change/pin").put("parallelism", 2);
            }
            case "POST /v1/what-if BODY change.unpin.key" ->
                body.withObject("/change").remove("limits");
            case "PUT /v1/workflows/{workflow} PATH workflow" -> body.put("workflow", word + "-workflow");
            case "POST /v1/trigger BODY workflow" -> body.remove("url");
            case "POST /v1/runs/{run}/delete PATH run" -> body.put("confirm", word + "-run");
            case "POST /v1/claims BODY steps", "POST /v1/claims BODY module_ids" -> {
                body.remove("modules");
                body.put("run", word + "-run");
            }
            default -> {
                // the body is valid as it is
            }
        }
    }

    /** The end of a page of the third organisation; a position that names nothing. */
    private static String foreignCursor(DocumentedRoute route) {
        if (route.path().equals("/v1/limits")) {
            return "a"; // It is the name of a workflow. This one is before all names, so that both see the same page.
        }
        var path = new StringBuilder(route.path()
                .replace("{run}", FOREIGN_WORD + "-run")
                .replace("{step}", FOREIGN_WORD + "-step")
                .concat("?limit=1"));
        for (RouteParameters.Parameter each : RouteParameters.ids(route)) {
            if (each.place() == RouteParameters.Place.QUERY && isRequired(route, each.name())) {
                path.append('&').append(each.name()).append('=').append(value(route, each, each.name(), FOREIGN_WORD));
            }
        }
        String only = switch (route.path()) {
            case "/v1/logs" -> "9.1.-1.1";
            case "/v1/schedules" -> "zebra-workflow/1";
            default -> "1";
        };
        return node.require(FOREIGN, "GET", path.toString(), null).path("next").asString(only);
    }

    /** A value of a header. Versions and events have numbers of their own, which name nobody's things. */
    private static String headerValue(RouteParameters.Parameter parameter, String word) {
        return switch (parameter.name()) {
            case "If-Match" -> "\"7\"";
            case "Last-Event-ID" -> "1";
            default -> word + "-key";
        };
    }

    private static boolean isRequired(DocumentedRoute route, String name) {
        return route.operation()
                .path("parameters")
                .valueStream()
                .anyMatch(each -> each.path("name").asString("").equals(name)
                        && each.path("required").asBoolean(false));
    }

    private static @Nullable ObjectNode body(DocumentedRoute route) {
        if (!route.takesBody()) {
            return null;
        }
        String template = MatrixBodies.BODIES.get(route.toString());
        assertThat(template)
                .as("a valid body for " + route + ", in MatrixBodies")
                .isNotNull();
        return (ObjectNode) WireJson.LENIENT.readTree(String.valueOf(template).replace('\'', '"'));
    }

    /** Sets a field of a body, and creates what contains it. */
    private static void set(ObjectNode body, RouteParameters.Parameter parameter, String value) {
        ObjectNode at = body;
        List<String> path = parameter.path();
        for (int i = 0; i < path.size() - 1; i++) {
            String name = path.get(i);
            if (path.get(i + 1).equals("[]")) {
                ArrayNode list = at.path(name) instanceof ArrayNode existing ? existing : at.putArray(name);
                at = list.isEmpty() ? list.addObject() : (ObjectNode) list.get(0);
                i++;
            } else {
                at = at.path(name) instanceof ObjectNode existing ? existing : at.putObject(name);
            }
        }
        if (parameter.isList()) {
            at.putArray(path.getLast()).add(value);
        } else {
            at.put(path.getLast(), value);
        }
    }

    @Test
    void an_id_of_another_organisation_gets_the_response_to_an_unknown_id_and_changes_nothing() throws Exception {
        Map<String, String> before = RowDigests.of(node, FOREIGN);
        assertThat(before.get("runs")).as("live runs of the third organisation").startsWith("2 rows");
        assertThat(RowDigests.FILLED_TABLES)
                .allSatisfy(table -> assertThat(before.get(table)).as(table).doesNotStartWith("0 rows"));
        List<String> differences = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        int requests = 0;
        for (DocumentedRoute route : DocumentedRoute.all()) {
            for (RouteParameters.Parameter parameter :
                    isOfOneOrganisation(route) ? RouteParameters.ids(route) : List.<RouteParameters.Parameter>of()) {
                var foreign = send(WITH_FOREIGN, request(route, parameter, FOREIGN_WORD));
                var unknown = send(WITH_UNKNOWN, request(route, parameter, UNKNOWN_WORD));
                requests++;
                if (!ComparableAnswer.of(foreign).equals(ComparableAnswer.of(unknown))) {
                    differences.add(route + " " + parameter + "\n  foreign: " + ComparableAnswer.of(foreign)
                            + "\n  unknown: " + ComparableAnswer.of(unknown));
                }
                if (unknown.status() == 400) {
                    invalid.add(route + " " + parameter + ": " + unknown.body());
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(invalid)
                .as("requests that were refused before anything was looked up")
                .isEmpty();
        assertThat(requests).isGreaterThan(100);
        assertThat(RowDigests.of(node, FOREIGN)).isEqualTo(before);
    }

    /** False for routes without a token, and for those of administrators, which name organisations on purpose. */
    private static boolean isOfOneOrganisation(DocumentedRoute route) {
        return !route.isPublic()
                && !route.operation().path("x-permission").asString("").equals("administer");
    }

    private static PostgresNode.Answer send(String org, Request request) {
        return node.send(org, request.method, request.path, request.body, request.headers);
    }

    @Test
    void the_owner_of_the_ids_finds_what_they_name() {
        List<String> missing = new ArrayList<>();
        for (DocumentedRoute route : DocumentedRoute.all()) {
            for (RouteParameters.Parameter parameter : RouteParameters.ids(route)) {
                boolean names = parameter.place() == RouteParameters.Place.PATH && isOfOneOrganisation(route);
                if (names && route.method().equals("GET")) {
                    int status = send(FOREIGN, request(route, parameter, FOREIGN_WORD))
                            .status();
                    // 409: the time of a run is known when it has ended
                    if (status != 200 && status != 409) {
                        missing.add(status + " " + route);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void no_response_contains_anything_of_another_organisation() {
        for (DocumentedRoute route : DocumentedRoute.all()) {
            if (isOfOneOrganisation(route) && route.method().equals("GET")) {
                for (RouteParameters.Parameter parameter : RouteParameters.ids(route)) {
                    var got = send(WITH_UNKNOWN, request(route, parameter, OWN_WORD));
                    assertThat(got.body()).as(route + " " + parameter).doesNotContain(FOREIGN_WORD);
                }
                if (!route.path().contains("{")) {
                    assertThat(node.send(WITH_UNKNOWN, "GET", route.path(), null, Map.of())
                                    .body())
                            .as(route.toString())
                            .doesNotContain(FOREIGN_WORD);
                }
            }
        }
        assertThat(node.metrics()).doesNotContain(FOREIGN_WORD);
    }
}
