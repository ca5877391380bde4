package dev.weir.cli.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.OpenApi;
import dev.weir.cli.rig.RepeatedRequestRig.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests that every request that changes something can be repeated safely if its answer was lost. The node is killed
 * after the commit and before the answer, and the next node gets the same request.
 */
@Tag("S6")
@Tag("S7")
@SuppressWarnings("NullAway.Init") // set before the first test
class SentAgainTest {
    /** Fields whose values differ between two requests. */
    private static final Set<String> TIMES = Set.of("since", "changed_at");

    private static final Duration SETTLED_MAX = Duration.ofSeconds(20);

    /** Routes that have a body and change nothing. */
    private static final Set<String> ONLY_READ =
            Set.of("POST /v1/workflows/validate", "POST /v1/org/evaluate", "POST /v1/what-if");

    /** Routes that only begin something. BulkEndToEndTest and DeletionEndToEndTest kill the node in the middle of it. */
    private static final Set<String> IN_BACKGROUND = Set.of(
            "POST /v1/runs/cancel",
            "POST /v1/runs/retry",
            "POST /v1/runs/{run}/delete",
            "POST /v1/dead-letters/discard",
            "POST /v1/dead-letters/redrive");

    /** Routes about rows that two organisations cannot have alike. DeadLetterApiTest and SecretsApiTest repeat them. */
    private static final Set<String> REPEATED_ELSEWHERE = Set.of(
            "POST /v1/dead-letters/{letter}/discard",
            "POST /v1/dead-letters/{letter}/redrive",
            "PUT /v1/secrets/{secret}",
            "POST /v1/secrets/{secret}/delete");

    /** Routes that sign in and out. They concern no rows of the organisation's work; SessionApiTest repeats them. */
    private static final Set<String> SIGN_IN =
            Set.of("POST /v1/session", "DELETE /v1/session", "POST /v1/session-links");

    /** Routes that change other organisations than the caller's. OrganisationsEndToEndTest repeats them. */
    private static final String ADMINISTERED = "/v1/organisations";

    private static RepeatedRequestRig rig;
    private static Map<RepeatedRequest, Outcome> outcomes;

    @BeforeAll
    static void kill_the_node_between_commit_and_answer() throws Exception {
        var directory =
                Path.of("target", "again-" + ProcessHandle.current().pid()).toAbsolutePath();
        List<RepeatedRequest> repeats = new ArrayList<>(RepeatedRequest.all());
        repeats.addAll(RepeatedRequest.withoutId());
        rig = new RepeatedRequestRig(directory, repeats);
        try {
            outcomes = rig.run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("the node's log ends with:\n" + rig.nodeLog(), e);
        }
    }

    @AfterAll
    static void close() throws IOException {
        rig.close();
    }

    static Stream<RepeatedRequest> repeats() {
        return RepeatedRequest.all().stream().map(SentAgainTest::known);
    }

    static Stream<RepeatedRequest> withoutName() {
        return RepeatedRequest.withoutId().stream().map(SentAgainTest::known);
    }

    /** Returns the request with this name that was played. */
    private static RepeatedRequest known(RepeatedRequest other) {
        return outcomes.keySet().stream()
                .filter(repeat -> repeat.name().equals(other.name()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void every_changing_route_is_repeated_and_documents_the_answer_to_a_repeat() {
        Map<String, JsonNode> changing = changing();
        assertThat(RepeatedRequest.all().stream().map(RepeatedRequest::route).distinct())
                .containsExactlyInAnyOrderElementsOf(changing.keySet());
        changing.forEach((route, operation) ->
                assertThat(operation.has("x-sent-again")).as(route).isTrue());
    }

    /** Returns the OpenAPI description of every route that changes something. */
    private static Map<String, JsonNode> changing() {
        Map<String, JsonNode> changing = new TreeMap<>();
        JsonMapper.shared().readTree(OpenApi.document()).get("paths").forEachEntry((path, methods) -> {
            methods.forEachEntry((method, operation) -> {
                String route = method.toUpperCase(Locale.ROOT) + " " + path;
                if (!method.equals("get")
                        && !ONLY_READ.contains(route)
                        && !IN_BACKGROUND.contains(route)
                        && !REPEATED_ELSEWHERE.contains(route)
                        && !SIGN_IN.contains(route)
                        && !path.startsWith(ADMINISTERED)) {
                    changing.put(route, operation);
                }
            });
        });
        return changing;
    }

    @ParameterizedTest
    @MethodSource("repeats")
    void a_repeated_request_leaves_the_rows_of_a_single_one(RepeatedRequest repeat) throws Exception {
        Outcome outcome = Objects.requireNonNull(outcomes.get(repeat));
        assertThat(outcome.once().status()).as(outcome.toString()).isBetween(200, 299);
        assertThat(outcome.committed()).as("it was committed").isTrue();
        assertThat(outcome.lost()).as("the first answer was lost").isTrue();
        TableRows once = rig.rowsSentOnce(repeat);
        assertThat(once.rows()).isNotEmpty();
        Awaitility.await(repeat.name())
                .atMost(SETTLED_MAX)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThat(rig.rowsSentTwice(repeat).rows()).isEqualTo(once.rows()));
    }

    @ParameterizedTest
    @MethodSource("repeats")
    void the_second_answer_matches_the_documentation(RepeatedRequest repeat) {
        Outcome outcome = Objects.requireNonNull(outcomes.get(repeat));
        JsonNode documented =
                Objects.requireNonNull(changing().get(repeat.route())).path("x-sent-again");
        assertThat(outcome.again().status())
                .as(outcome.toString())
                .isEqualTo(documented.path("status").asInt(0));
        JsonNode said = documented.path("answer");
        boolean same = said.asString("").equals("same");
        assertThat(has(outcome.again().body(), same ? outcome.once().body() : said))
                .as("%s has %s", outcome, documented)
                .isTrue();
    }

    /**
     * Returns true if the answer has all documented fields. Times need only be present, because those of two
     * requests differ.
     */
    private static boolean has(JsonNode answer, JsonNode said) {
        if (said.isObject() || said.isArray()) {
            return said.isObject()
                    ? said.propertyNames().stream()
                            .allMatch(name ->
                                    TIMES.contains(name) ? answer.has(name) : has(answer.path(name), said.get(name)))
                    : answer.size() == said.size()
                            && java.util.stream.IntStream.range(0, said.size())
                                    .allMatch(i -> has(answer.path(i), said.get(i)));
        }
        return said.isMissingNode() || answer.equals(said);
    }

    @ParameterizedTest
    @MethodSource("withoutName")
    void a_repeated_request_without_an_id_is_applied_twice(RepeatedRequest repeat) throws Exception {
        Outcome outcome = Objects.requireNonNull(outcomes.get(repeat));
        assertThat(outcome.lost()).isTrue();
        assertThat(rig.rowsSentTwice(repeat).rows())
                .isNotEqualTo(rig.rowsSentOnce(repeat).rows());
    }
}
