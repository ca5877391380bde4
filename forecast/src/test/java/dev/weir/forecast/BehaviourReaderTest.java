package dev.weir.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.definition.Workflow;
import dev.weir.core.reading.ReadProblem;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.forecast.StepBehaviour.Time;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BehaviourReaderTest {
    private static final Workflow WORKFLOW = WorkflowReader.read("""
            workflow: w
            steps: [{ id: a, uses: mod.a }, { id: b, uses: mod.b }, { id: c, uses: mod.b }, { id: d, uses: mod.d }]
            """).orThrow();

    private static StepBehaviour behaviourOf(String text, String step) {
        return BehaviourReader.read(text, WORKFLOW).orThrow().of(WORKFLOW.step(step));
    }

    @Test
    void a_duration_may_be_fixed_spread_or_drawn_from_a_list() {
        assertThat(behaviourOf("a: 2s", "a").time()).isEqualTo(new Time.Fixed(2_000_000));
        assertThat(behaviourOf("a: { min: 1s, max: 3s }", "a").time())
                .isEqualTo(new Time.Between(1_000_000, 3_000_000));
        assertThat(behaviourOf("a: { mean: 2s, jitter: 0.5 }", "a").time())
                .isEqualTo(new Time.Between(1_000_000, 3_000_000));
        assertThat(behaviourOf("a: [1s, 3s]", "a").time().sample(0.9)).isEqualTo(3_000_000);
        assertThat(behaviourOf("a: { duration: [1s, 3s], fail: 0.5 }", "a").failureRate())
                .isEqualTo(0.5);
    }

    @Test
    void a_step_comes_before_its_module_and_a_module_before_the_default() {
        String text = "{ b: 1s, mod.b: 2s, default: 3s }";
        assertThat(behaviourOf(text, "b").time()).isEqualTo(new Time.Fixed(1_000_000));
        assertThat(behaviourOf(text, "c").time()).isEqualTo(new Time.Fixed(2_000_000));
        assertThat(behaviourOf(text, "d").time()).isEqualTo(new Time.Fixed(3_000_000));
    }

    @Test
    void an_output_is_given_as_it_stands() {
        assertThat(behaviourOf("a: { output: { parcels: [x, y] } }", "a").output())
                .hasToString("{\"parcels\":[\"x\",\"y\"]}");
    }

    @Test
    @Tag("RX.5")
    void everything_that_is_wrong_is_refused_with_its_place_and_the_nearest_name() {
        String text = """
                mod.x: 2s
                a: { min: 5s, max: 2s }
                b: { duraton: 2s }
                c: { fail: 2 }
                d: 5
                """;
        assertThat(problems(text))
                .containsExactly(
                        "line 1, column 1: mod.x: expected a step, a module or default, found 'mod.x';"
                                + " did you mean 'mod.a'?",
                        "line 2, column 20: a.max: expected at least min, found '2s'",
                        "line 3, column 6: b.duraton: expected a known field, found 'duraton';"
                                + " did you mean 'duration'?",
                        "line 4, column 12: c.fail: expected a number from 0 to 1, found 2",
                        "line 5, column 4: d: expected a duration such as 2s, a list of durations, or an object, found 5");
    }

    @Test
    void a_list_instead_of_names_is_refused() {
        assertThat(problems("- 1s")).singleElement().asString().contains("expected an object with the ids of steps");
    }

    private static List<String> problems(String text) {
        return switch (BehaviourReader.read(text, WORKFLOW)) {
            case ReadResult.Accepted<WorkflowBehaviour> ignored -> List.of();
            case ReadResult.Refused<WorkflowBehaviour> refused ->
                refused.problems().stream().map(ReadProblem::toString).toList();
        };
    }
}
