package dev.weir.postgres.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Template;
import dev.weir.core.life.Ask;
import dev.weir.core.life.Ending;
import dev.weir.core.life.Origin;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StartRun;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.Update;
import dev.weir.core.life.Waited;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Start;
import dev.weir.core.reading.Reading;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.engine.StartRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written into a row is read back as it was. */
class CodecsTest {
    private static final String HARD = "\0 : \" \\ \uD83D\uDE00 \u2028";

    @Test
    void limits_are_known_by_their_text() {
        for (LimitId.Shared limit : List.of(
                new LimitId.Key("a:b:" + HARD),
                new LimitId.Key(""),
                new LimitId.WorkflowRuns("flow"),
                new LimitId.RunKey("a:1", "2:" + HARD),
                new LimitId.OrgRuns())) {
            assertThat(Limits.limit(limit.text())).isEqualTo(limit);
        }
        assertThatThrownBy(() -> Limits.limit("other:1")).hasMessageContaining("other:1");
    }

    @Test
    void a_step_whose_definition_says_all_but_its_keys_is_written_with_its_keys_only() {
        String definition = """
                workflow: w
                steps:
                  - id: a
                    uses: m
                    flow_control:
                      - { key: "one-${{ input.x }}", parallelism: 2 }
                      - { key: "other-${{ input.x }}", rate: 3 }
                """;
        var read = (Reading.Accepted<Workflow>) WorkflowReader.read(definition);
        Plan plan = Plan.of(read.value(), 1);
        Ask ask = plan.askFor(0, List.of(HARD, "b"));
        var other = new Ask(ask.module(), ask.needs(), ask.slots() + 1, false, 0);
        var fewer = new Ask(ask.module(), ask.needs().subList(0, 1), ask.slots(), false, 0);

        assertThat(ask.needs()).hasSize(2).extracting(Need::parallelism).containsExactly(2, Need.UNLIMITED);
        assertThat(Asks.text(ask, plan, 0)).startsWith("[\"").endsWith("\"b\"]");
        assertThat(Asks.text(other, plan, 0)).startsWith("{");
        for (Ask each : List.of(ask, other, fewer)) {
            assertThat(Asks.read(Asks.text(each, plan, 0), plan, 0)).isEqualTo(each);
        }
        assertThat(Asks.read(null, plan, 0)).isNull();
    }

    @Test
    void asks_and_starts_are_read_back() {
        var needs = List.of(
                new Need(new LimitId.Key("k"), 3, 2, Rate.fixed(5, 1_000_000), 4),
                new Need(new LimitId.OrgRuns(), Need.UNLIMITED, 1, null, 1));
        for (Ask ask : List.of(new Ask("m", List.of(), 1, false, 0), new Ask(HARD, needs, 7, true, -3))) {
            assertThat(Asks.read(Asks.text(ask))).isEqualTo(ask);
        }
        assertThat(Asks.text(new Ask("m", List.of(), 1, false, 0))).isEqualTo("{\"module\":\"m\"}");
        assertThat(Asks.read(null)).isNull();
        var starts = List.of(
                new Start(new LimitId.Key("k"), 17, 2, Rate.sliding(3, 9), true),
                new Start(new LimitId.Key("k"), 17, 2, Rate.sliding(3, 9), false, 10),
                new Start(new LimitId.OrgRuns(), 18, 1, null, false, 7),
                new Start(new LimitId.OrgRuns(), 18, 1, null, false));
        var waited =
                List.of(new Waited(Waited.For.NO_WORKER, null, 12), new Waited(Waited.For.RATE, "key:" + HARD, 34));
        String text = Limits.starts(starts, waited);
        assertThat(Limits.starts(text)).isEqualTo(starts);
        assertThat(Limits.waited(text)).isEqualTo(waited);
        assertThat(Limits.starts(List.of(), List.of())).isNull();
        assertThat(Limits.starts(null)).isEmpty();
    }

    @Test
    void updates_are_read_back() {
        for (Update update : List.of(
                new Update.Completed(json("null")),
                new Update.Completed(json("{\"output\": [1, 1.5, 123456789012345678901234567890]}")),
                new Update.NoOp(),
                new Update.Failed(HARD, true),
                new Update.Failed("", false),
                new Update.Rescheduled(5),
                new Update.NeedsInput(json("{\"error\": 1}")))) {
            assertThat(Updates.read(Updates.text(update))).isEqualTo(update);
        }
    }

    @Test
    void what_few_runs_have_is_read_back() {
        var ending = new Ending(RunState.CANCELLED, CancelPolicy.CANCEL_RUNNING, HARD, 99);
        assertThat(RunJson.readEnding(RunJson.ending(ending))).isEqualTo(ending);
        for (var overrides : List.of(new RunGate.Overrides(1, null), new RunGate.Overrides(null, null))) {
            assertThat(RunJson.readOverrides(RunJson.overrides(overrides))).isEqualTo(overrides);
        }
        assertThat(RunJson.readOverrides(RunJson.overrides(null))).isNull();
        var waited = List.of(new Waited(Waited.For.DELAYED, null, 7), new Waited(Waited.For.RATE, "key:k", 8));
        var detail = new RunRow.Detail(5, 6, true, true, json("{\"a\": 1}"), waited);
        assertThat(RunJson.readDetail(RunJson.detail(detail))).isEqualTo(detail);
        assertThat(RunJson.detail(RunRow.Detail.DEFAULT)).isNull();
        assertThat(RunJson.readDetail(null)).isEqualTo(RunRow.Detail.DEFAULT);
        var labels = new TreeMap<>(Map.of("a", HARD, "b", ""));
        assertThat(RunJson.readLabels(RunJson.labels(labels))).isEqualTo(labels);
    }

    @Test
    void what_few_steps_have_is_read_back() {
        var spent = new StepRow.Spent(9, List.of(new Waited(Waited.For.CAPACITY, "key:" + HARD, 5)));
        var detail = new StepRow.Detail(
                new StepRow.Approval(true, "ada", null, 7), json("1"), "child", 3, HARD, spent, true, 0, HARD);
        assertThat(StepJson.readDetail(StepJson.detail(detail))).isEqualTo(detail);
        assertThat(StepJson.detail(StepRow.Detail.DEFAULT)).isNull();
        assertThat(StepJson.readDetail(null)).isEqualTo(StepRow.Detail.DEFAULT);
    }

    @Test
    void a_start_in_the_inbox_is_read_back() {
        var controls = List.of(
                new FlowControl(Template.of("${{ input.k }}"), 3, null, 2, 1),
                FlowControl.rate(
                        "k",
                        new dev.weir.core.definition.Rate(
                                5, Duration.ofMillis(1_500), dev.weir.core.definition.Rate.Window.FIXED)));
        var options = new StartRun.Options(5, List.of("a", "b"));
        var labels = new TreeMap<>(Map.of("a", "b"));
        var request = new StartRequest("r", "w", json("{\"a\": 1}"), 3, controls, labels, options);
        assertThat(StartJson.read(StartJson.text(request))).isEqualTo(request);
        var plain = StartRequest.of("r", "w", json("[]"));
        assertThat(StartJson.read(StartJson.text(plain))).isEqualTo(plain);
    }

    @Test
    void the_priority_that_was_asked_for_is_kept_although_it_is_the_usual_one() {
        Plan plan = Plan.of(Workflow.named("w").build(), 1);
        var usual = StartRun.of("r", plan, json("{}"));
        assertThat(StartJson.start(usual)).isNull();
        var asking = new StartRun(
                "r", plan, json("{}"), 0, null, new TreeMap<>(), StartRun.Options.DEFAULT.asking(0), Origin.NONE);
        assertThat(StartJson.readStart(StartJson.start(asking)).options()).isEqualTo(asking.options());
    }

    @Test
    void what_was_waited_for_is_written_alone_as_it_is_beside_other_things() {
        var waited = List.of(
                new Waited(Waited.For.CAPACITY, "key:\"a\\b\"", 5), new Waited(Waited.For.NO_WORKER, null, 1L << 40));
        for (List<Waited> each : List.of(waited, List.<Waited>of())) {
            var alone = detail(null, new StepRow.Spent(7, each));
            String text = Objects.requireNonNull(StepJson.detail(alone));
            assertThat(StepJson.readDetail(text)).isEqualTo(alone);
            var beside = Objects.requireNonNull(StepJson.detail(detail("c", new StepRow.Spent(7, each))));
            assertThat(json(beside).get("spent")).isEqualTo(json(text).get("spent"));
        }
    }

    private static StepRow.Detail detail(@Nullable String child, StepRow.Spent spent) {
        return new StepRow.Detail(
                null, null, child, StepRow.Detail.NO_ORDER, null, spent, false, StepRow.Detail.NOT_AGAIN, null);
    }

    @Test
    void every_state_has_a_letter_of_its_own() {
        for (RunState state : RunState.values()) {
            assertThat(States.run(States.letter(state))).isEqualTo(state);
        }
        for (StepState state : StepState.values()) {
            assertThat(States.step(States.letter(state))).isEqualTo(state);
        }
        assertThatThrownBy(() -> States.run("?")).hasMessageContaining("?");
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
