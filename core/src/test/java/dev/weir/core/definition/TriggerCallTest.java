package dev.weir.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.definition.TriggerCall.Header;
import dev.weir.core.reading.WorkflowReader;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("R3.5")
class TriggerCallTest {
    private static final Step.Attempts ATTEMPTS = new Step.Attempts(
            new RetryPolicy(2, Duration.ofMillis(5), RetryPolicy.Backoff.FIXED, Duration.ofSeconds(9), 0, 100),
            Duration.ofSeconds(7));

    @Test
    void a_call_reads_back_from_the_input_of_its_run() {
        var call = new TriggerCall(
                Action.Method.POST,
                "https://x.example/?a=${{ b }}",
                headers(),
                json("{'n': [1, '${{ secrets.BILLING }}']}"),
                ATTEMPTS);

        assertThat(TriggerCall.ofInput(call.toInput())).isEqualTo(call);
        assertThat(TriggerCall.attemptsOf(call.toInput())).isEqualTo(ATTEMPTS);
    }

    @Test
    void a_request_contains_the_data_unchanged_and_a_secret_only_by_its_name() {
        var body = json("{'n': '${{ secrets.BILLING }}'}");
        var call = new TriggerCall(Action.Method.PUT, "https://x.example/", headers(), body, ATTEMPTS);

        var request = call.toRequest();

        assertThat(request.value().at("/body")).isEqualTo(body);
        assertThat(request.value().at("/headers/X-User").stringValue()).isEqualTo("${{ secrets.BILLING }}");
        assertThat(request.value().at("/headers/A~1B").isNull()).isTrue();
        assertThat(request.insertSecrets(name -> name + "!").at("/headers/A~1B").stringValue())
                .isEqualTo("Bearer BILLING!");
        assertThat(request.secretTexts()).hasSize(1);
    }

    @Test
    void the_workflow_of_triggered_calls_can_be_stored_and_no_other_one_may_have_such_a_name() {
        Workflow own = TriggerCall.workflow();

        Workflow stored = WorkflowReader.readStored(own.toJson().toString()).orThrow();

        assertThat(stored).isEqualTo(own);
        assertThat(stored.contentHash()).isEqualTo(TriggerCall.workflowHash());
        assertThat(new RegisterWorkflow(stored).workflow()).isEqualTo(own);
        Workflow other =
                Workflow.named("weir.trigger").step("call").uses("my.module").build();
        assertThatThrownBy(() -> new RegisterWorkflow(other))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("workflow: expected a name that does not begin with weir.");
    }

    @Test
    void a_call_that_no_request_could_be_is_refused_with_its_field() {
        assertThatThrownBy(() -> new TriggerCall(Action.Method.GET, "ftp://x", new TreeMap<>(Map.of()), null, ATTEMPTS))
                .hasMessageContaining("url: expected");
        assertThatThrownBy(() ->
                        new TriggerCall(Action.Method.GET, "https://x", new TreeMap<>(Map.of()), json("{}"), ATTEMPTS))
                .hasMessageContaining("body: expected a method that takes a body");
        assertThatThrownBy(() -> TriggerCall.ofInput(json("{'url': 'https://x', 'method': 'BREW'}")))
                .hasMessageContaining("method: expected an HTTP method, found 'BREW'");
    }

    private static SortedMap<String, Header> headers() {
        SortedMap<String, Header> headers = new TreeMap<>();
        headers.put("X-User", new Header.Text("${{ secrets.BILLING }}"));
        headers.put("A/B", new Header.Secret("Bearer ", "BILLING"));
        return headers;
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }
}
