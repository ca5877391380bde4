package dev.weir.postgres.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Workflow;
import dev.weir.core.expression.Template;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import dev.weir.core.state.WaitEntry;
import dev.weir.engine.request.StartRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that values written into a row are read back unchanged. */
class JsonColumnsTest {
    private static final String HARD_TEXT = "\0 : \" \\ \uD83D\uDE00 \u2028";

    @Test
    void limits_are_read_back_from_their_text() {
        for (LimitId.Shared limit : List.of(
                new LimitId.Key("a:b:" + HARD_TEXT),
                new LimitId.Key(""),
                new LimitId.WorkflowRuns("flow"),
                new LimitId.RunKey("a:1", "2:" + HARD_TEXT),
                new LimitId.OrgRuns())) {
            assertThat(LimitJson.limit(limit.text())).isEqualTo(limit);
        }
        assertThatThrownBy(() -> LimitJson.limit("other:1")).hasMessageContaining("other:1");
    }

    @Test
    void limit_needs_that_equal_the_definition_are_written_as_rendered_keys_only() {
        String definition = """
                workflow: w
                steps:
                  - id: a
                    uses: m
                    flow_control:
                      - { key: "one-${{ input.x }}", parallelism: 2 }
                      - { key: "other-${{ input.x }}", rate: 3 }
                """;
        var read = (ReadResult.Accepted<Workflow>) WorkflowReader.read(definition);
        Plan plan = Plan.of(read.value(), 1);
        LimitNeeds limitNeeds = plan.limitNeedsFor(0, List.of(HARD_TEXT, "b"));
        var other = new LimitNeeds(limitNeeds.module(), limitNeeds.needs(), limitNeeds.slots() + 1, false, 0);
        var fewer = new LimitNeeds(limitNeeds.module(), limitNeeds.needs().subList(0, 1), limitNeeds.slots(), false, 0);

        assertThat(limitNeeds.needs())
                .hasSize(2)
                .extracting(LimitNeed::parallelism)
                .containsExactly(2, LimitNeed.UNLIMITED);
        assertThat(LimitNeedsJson.text(limitNeeds, plan, 0)).startsWith("[\"").endsWith("\"b\"]");
        assertThat(LimitNeedsJson.text(other, plan, 0)).startsWith("{");
        for (LimitNeeds each : List.of(limitNeeds, other, fewer)) {
            assertThat(LimitNeedsJson.read(LimitNeedsJson.text(each, plan, 0), plan, 0))
                    .isEqualTo(each);
        }
        assertThat(LimitNeedsJson.read(null, plan, 0)).isNull();
    }

    @Test
    void limit_needs_and_starts_are_read_back() {
        var needs = List.of(
                new LimitNeed(new LimitId.Key("k"), 3, 2, Rate.fixed(5, 1_000_000), 4),
                new LimitNeed(new LimitId.OrgRuns(), LimitNeed.UNLIMITED, 1, null, 1));
        for (LimitNeeds limitNeeds :
                List.of(new LimitNeeds("m", List.of(), 1, false, 0), new LimitNeeds(HARD_TEXT, needs, 7, true, -3))) {
            assertThat(LimitNeedsJson.read(LimitNeedsJson.text(limitNeeds))).isEqualTo(limitNeeds);
        }
        assertThat(LimitNeedsJson.text(new LimitNeeds("m", List.of(), 1, false, 0)))
                .isEqualTo("{\"module\":\"m\"}");
        assertThat(LimitNeedsJson.read(null)).isNull();
        var starts = List.of(
                new LimitStart(new LimitId.Key("k"), 17, 2, Rate.sliding(3, 9), true),
                new LimitStart(new LimitId.Key("k"), 17, 2, Rate.sliding(3, 9), false, 10),
                new LimitStart(new LimitId.OrgRuns(), 18, 1, null, false, 7),
                new LimitStart(new LimitId.OrgRuns(), 18, 1, null, false));
        var waited = List.of(
                new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 12),
                new WaitEntry(WaitEntry.Cause.RATE, "key:" + HARD_TEXT, 34));
        String text = LimitJson.starts(starts, waited);
        assertThat(LimitJson.starts(text)).isEqualTo(starts);
        assertThat(LimitJson.waits(text)).isEqualTo(waited);
        assertThat(LimitJson.starts(List.of(), List.of())).isNull();
        assertThat(LimitJson.starts(null)).isEmpty();
    }

    @Test
    void updates_are_read_back() {
        for (Update update : List.of(
                new Update.Completed(json("null")),
                new Update.Completed(json("{\"output\": [1, 1.5, 123456789012345678901234567890]}")),
                new Update.NoOp(),
                new Update.Failed(HARD_TEXT, true),
                new Update.Failed("", false),
                new Update.Rescheduled(5),
                new Update.NeedsInput(json("{\"error\": 1}")))) {
            assertThat(UpdateJson.read(UpdateJson.text(update))).isEqualTo(update);
        }
    }

    @Test
    void rare_fields_of_runs_are_read_back() {
        var ending = new RunEnding(RunState.CANCELLED, CancelPolicy.CANCEL_RUNNING, HARD_TEXT, 99);
        assertThat(RunJson.readEnding(RunJson.ending(ending))).isEqualTo(ending);
        for (var overrides : List.of(RunOverrides.of(1, null), RunOverrides.of(null, null))) {
            assertThat(SettingJson.readOverrides(SettingJson.overrides(overrides)))
                    .isEqualTo(overrides);
        }
        assertThat(SettingJson.readOverrides(SettingJson.overrides(null))).isNull();
        var covered = new OperatorSetting<>(1, 2, 77L);
        var overrides = new RunOverrides(covered, OperatorSetting.none());
        assertThat(SettingJson.readOverrides(SettingJson.overrides(overrides))).isEqualTo(overrides);
        var pin = new Pin(covered, new OperatorSetting<>(null, Rate.fixed(3, 1_000), 78L));
        assertThat(SettingJson.readPin(SettingJson.pin(pin))).isEqualTo(pin);
        assertThat(UpdateJson.read(UpdateJson.text(new Update.Failed("busy", false, 5, 429))))
                .isEqualTo(new Update.Failed("busy", false, 5, 429));
        var waited = List.of(
                new WaitEntry(WaitEntry.Cause.DELAYED, null, 7), new WaitEntry(WaitEntry.Cause.RATE, "key:k", 8));
        var detail = new RunRow.Detail(5, 6, true, true, json("{\"a\": 1}"), waited);
        assertThat(RunJson.readDetail(RunJson.detail(detail))).isEqualTo(detail);
        assertThat(RunJson.detail(RunRow.Detail.DEFAULT)).isNull();
        assertThat(RunJson.readDetail(null)).isEqualTo(RunRow.Detail.DEFAULT);
        var labels = new TreeMap<>(Map.of("a", HARD_TEXT, "b", ""));
        assertThat(RunJson.readLabels(RunJson.labels(labels))).isEqualTo(labels);
    }

    @Test
    void rare_fields_of_steps_are_read_back() {
        var spent = new StepRow.Waits(9, List.of(new WaitEntry(WaitEntry.Cause.CAPACITY, "key:" + HARD_TEXT, 5)));
        var detail = new StepRow.Detail(
                new StepRow.Approval(true, "ada", null, 7),
                json("1"),
                "child",
                3,
                HARD_TEXT,
                spent,
                true,
                0,
                new StepRow.ReceivedSignal(HARD_TEXT, "token"),
                new StepRow.Reporter("token", "worker"),
                true);
        assertThat(StepJson.readDetail(StepJson.detail(detail))).isEqualTo(detail);
        var onlyReporter = StepRow.Detail.DEFAULT.withReporter(new StepRow.Reporter(HARD_TEXT, "w"));
        assertThat(StepJson.readDetail(StepJson.detail(onlyReporter))).isEqualTo(onlyReporter);
        var onlySender = StepRow.Detail.DEFAULT.withSignal(new StepRow.ReceivedSignal(null, HARD_TEXT));
        assertThat(StepJson.readDetail(StepJson.detail(onlySender))).isEqualTo(onlySender);
        assertThat(StepJson.readDetail("{\"signal\":\"s-1\"}").signal())
                .as("schema versions before 9 stored the id alone")
                .isEqualTo(new StepRow.ReceivedSignal("s-1", null));
        assertThat(StepJson.detail(StepRow.Detail.DEFAULT)).isNull();
        assertThat(StepJson.readDetail(null)).isEqualTo(StepRow.Detail.DEFAULT);
    }

    @Test
    void a_start_in_the_inbox_is_read_back() {
        var controls = List.of(
                new FlowControl(Template.of("${{ input.k }}"), 3, null, 2, 1),
                FlowControl.rate(
                        "k",
                        new dev.weir.core.definition.RateLimit(
                                5, Duration.ofMillis(1_500), dev.weir.core.definition.RateLimit.Window.FIXED)));
        var options = new RunRequest.Options(5, List.of("a", "b"));
        var labels = new TreeMap<>(Map.of("a", "b"));
        var request = new StartRequest("r", "w", json("{\"a\": 1}"), 3, controls, labels, options);
        assertThat(StartJson.read(StartJson.text(request))).isEqualTo(request);
        var plain = StartRequest.of("r", "w", json("[]"));
        assertThat(StartJson.read(StartJson.text(plain))).isEqualTo(plain);
    }

    @Test
    void the_requested_priority_is_kept_although_it_is_the_default() {
        Plan plan = Plan.of(Workflow.named("w").build(), 1);
        var defaults = RunRequest.of("r", plan, json("{}"));
        assertThat(StartJson.start(defaults)).isNull();
        var withPriority = new RunRequest(
                "r",
                plan,
                json("{}"),
                0,
                null,
                new TreeMap<>(),
                RunRequest.Options.DEFAULT.withPriority(0),
                RunLineage.NONE);
        assertThat(StartJson.readStart(StartJson.start(withPriority)).options()).isEqualTo(withPriority.options());
    }

    @Test
    void waits_are_written_alone_as_they_are_with_other_fields() {
        var waited = List.of(
                new WaitEntry(WaitEntry.Cause.CAPACITY, "key:\"a\\b\"", 5),
                new WaitEntry(WaitEntry.Cause.NO_WORKER, null, 1L << 40));
        for (List<WaitEntry> each : List.of(waited, List.<WaitEntry>of())) {
            var alone = detail(null, new StepRow.Waits(7, each));
            String text = Objects.requireNonNull(StepJson.detail(alone));
            assertThat(StepJson.readDetail(text)).isEqualTo(alone);
            var combined = Objects.requireNonNull(StepJson.detail(detail("c", new StepRow.Waits(7, each))));
            assertThat(json(combined).get("spent")).isEqualTo(json(text).get("spent"));
        }
    }

    private static StepRow.Detail detail(@Nullable String child, StepRow.Waits spent) {
        return new StepRow.Detail(
                null,
                null,
                child,
                StepRow.Detail.NO_ORDER,
                null,
                spent,
                false,
                StepRow.Detail.NO_RETRY,
                null,
                null,
                false);
    }

    @Test
    void every_state_has_a_letter_of_its_own() {
        for (RunState state : RunState.values()) {
            assertThat(StateCodes.run(StateCodes.letter(state))).isEqualTo(state);
        }
        for (StepState state : StepState.values()) {
            assertThat(StateCodes.step(StateCodes.letter(state))).isEqualTo(state);
        }
        assertThatThrownBy(() -> StateCodes.run("?")).hasMessageContaining("?");
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
