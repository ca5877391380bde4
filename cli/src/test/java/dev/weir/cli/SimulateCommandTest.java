package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
    private static final String FIVE_ITEMS = "../examples/five-items.yaml";
    private static final String ORDER = "../examples/order.yaml";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    private int simulate(String... args) {
        var all = new String[args.length + 3];
        all[0] = "simulate";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--width";
        all[args.length + 2] = "80";
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private JsonNode json(String... args) {
        var all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "-o";
        all[args.length + 1] = "json";
        assertThat(simulate(all)).as(err.toString()).isZero();
        return JsonMapper.shared().readTree(out.toString());
    }

    private String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return file.toString();
    }

    @Test
    @Tag("R1.3")
    void five_items_three_at_a_time_print_a_timeline_with_running_and_waiting_items() {
        assertThat(simulate(FIVE_ITEMS, "--no-ascii")).isZero();
        assertThat(out.toString().lines()).containsExactly("""
                five_items: one run in virtual time, completed
                  each step takes 1 s (change it with --durations)

                            0 s          500 ms       1 s          1.5 s     2 s
                resize[0-2] ██████████████████████████                            3 items
                resize[3-4] ··························██████████████████████████  2 items
                            █ running   · waiting for a limit

                makespan    2 s
                throughput  5 step starts, 2.5 per second
                limits      concurrency of resize  peak 3 of 3  mean 83 %
                waiting     2 s for concurrency of resize (resize)
                """.lines().toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void ascii_output_shows_the_same_timeline() {
        assertThat(simulate(FIVE_ITEMS, "--ascii")).isZero();
        assertThat(out.toString()).contains("####", "....", "# running   . waiting for a limit");
        assertThat(out.toString().chars()).allMatch(c -> c < 128);
    }

    @Test
    void the_order_example_needs_no_other_file_and_says_what_was_made_up() {
        assertThat(simulate(ORDER, "--ascii")).isZero();
        assertThat(out.toString())
                .contains(
                        "order_fulfillment: one run in virtual time, completed",
                        "gates are approved and signals arrive immediately",
                        "sample input: {\"customer\":\"C-1\",\"order\":\"O-1\"}",
                        "child runs are not simulated; each of these steps takes its own duration: bill",
                        "sample output of reserve",
                        "label[3-4]",
                        "///",
                        "makespan    3 d 5 s",
                        "waiting     2 s for concurrency of label")
                .doesNotContain("warning");
    }

    @Test
    @Tag("RX.3")
    void waiting_time_is_attributed_to_the_limits_that_caused_it() {
        assertThat(simulate(ORDER, "--ascii", "--runs", "20", "--set", "steps.cool.sleep=10s"))
                .isZero();
        assertThat(out.toString())
                .contains("order_fulfillment: 20 runs in virtual time, completed", "for key billing-api's rate (pay)")
                .containsPattern(
                        "waiting     \\d+ h \\d+ m of \\d+ h \\d+ m for key customer-C-1's rate \\(label most: ")
                .contains("if several limits hold a step, its waiting time counts for the first one");
    }

    @Test
    void variants_are_printed_next_to_the_unchanged_definition() {
        assertThat(simulate(FIVE_ITEMS, "--compare", "steps.resize.concurrency=1,5"))
                .isZero();
        var table = out.toString().lines().skip(13).toList();
        assertThat(table)
                .containsExactly(
                        "                                  as defined   concurrency=1   concurrency=5",
                        "makespan                                 2 s             5 s             1 s",
                        "                                                      +150 %           -50 %",
                        "throughput, steps             2.5 per second    1 per second    5 per second",
                        "waiting                                  2 s            10 s             0 s",
                        "  for concurrency of resize              2 s            10 s             0 s");
    }

    @Test
    void variants_of_several_paths_are_named_by_the_shortest_distinct_path() {
        assertThat(simulate(ORDER, "--compare", "flow_control.rate=5", "--compare", "steps.pay.flow_control.0.rate=5"))
                .isZero();
        assertThat(out.toString()).contains("flow_control.rate=5").contains("0.rate=5");
    }

    @Test
    void keys_of_one_expression_are_reported_together() throws IOException {
        String definition = file("w.yaml", """
                workflow: w
                flow_control: { key: "room-${{ input.room }}", parallelism: 1 }
                steps: [{ id: a, uses: m }]
                """);
        assertThat(simulate(definition, "--runs", "6", "--input", "[{room: 1}, {room: 2}]"))
                .isEqualTo(2);
        String rooms = file("rooms.yaml", "- { room: 1 }\n- { room: 2 }\n");
        assertThat(simulate(definition, "--runs", "6", "--input", "@" + rooms)).isZero();
        assertThat(out.toString())
                .contains("limits      key room-*'s parallelism  peak 1 of 1  mean 100 %, 2 of them")
                .contains("waiting     6 s for key room-*'s parallelism (a)");
    }

    @Test
    void json_says_everything_with_its_unit() {
        JsonNode json = json(FIVE_ITEMS);
        assertThat(json.path("makespan_seconds").doubleValue()).isEqualTo(2.0);
        assertThat(json.path("limits").get(0).path("utilisation").doubleValue()).isBetween(0.83, 0.84);
        assertThat(json.path("waits").get(0).path("limit").stringValue()).isEqualTo("concurrency of resize");
        assertThat(json.path("waits").get(0).path("seconds").doubleValue()).isEqualTo(2.0);
        assertThat(json.path("steps").get(0).path("running").size()).isEqualTo(60);
        assertThat(json.path("spans").size()).isEqualTo(7);
    }

    @Test
    void json_of_a_comparison_has_the_differences() {
        JsonNode json = json(FIVE_ITEMS, "--compare", "steps.resize.concurrency=5");
        JsonNode variant = json.path("variants").get(0);
        assertThat(variant.path("set").stringValue()).isEqualTo("steps.resize.concurrency=5");
        assertThat(variant.path("makespan_difference_seconds").doubleValue()).isEqualTo(-1.0);
        assertThat(variant.path("forecast").path("makespan_seconds").doubleValue())
                .isEqualTo(1.0);
    }

    @Test
    void the_same_seed_prints_the_same_page_and_another_one_does_not() throws IOException {
        String durations = file("d.yaml", "resize: { min: 1s, max: 9s, fail: 0.3 }");
        simulate(FIVE_ITEMS, "--durations", durations, "--runs", "30", "--seed", "4");
        String page = out.toString();
        simulate(FIVE_ITEMS, "--durations", durations, "--runs", "30", "--seed", "4");
        assertThat(out.toString()).isEqualTo(page);
        simulate(FIVE_ITEMS, "--durations", durations, "--runs", "30", "--seed", "5");
        assertThat(out.toString()).isNotEqualTo(page);
    }

    @Test
    void durations_next_to_the_definition_are_found_and_named() throws IOException {
        String definition = file("w.yaml", "{workflow: w, steps: [{ id: a, uses: m }]}");
        String durations = file("w.durations.yaml", "a: 7s");
        assertThat(simulate(definition)).isZero();
        assertThat(out.toString()).contains("makespan    7 s", "durations and outputs come from " + durations);
    }

    @Test
    void inputs_of_a_list_are_taken_in_turn_and_may_name_their_run() throws IOException {
        String definition = file("w.yaml", """
                workflow: w
                flow_control: { key: "${{ input.who }}", parallelism: 1 }
                steps: [{ id: a, uses: m }]
                """);
        assertThat(json(definition, "--runs", "4", "--input", "[{\"who\": \"x\"}, {\"who\": \"y\"}]")
                        .path("makespan_seconds")
                        .doubleValue())
                .isEqualTo(2.0);
        String inputs = file("inputs.json", "{\"who\": \"${{ run.id }}\"}");
        assertThat(json(definition, "--runs", "4", "--input", "@" + inputs)
                        .path("makespan_seconds")
                        .doubleValue())
                .isEqualTo(1.0);
    }

    @Test
    @Tag("RX.5")
    void a_definition_that_is_refused_shows_every_problem_with_its_place() throws IOException {
        String definition = file("bad.yaml", """
                workflow: bad
                max_concurrent_step: 5
                steps:
                  - { id: a, uses: m, needs: [b] }
                  - { id: c, uses: m, concurrency: 0 }
                """);
        assertThat(simulate(definition)).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        definition + ":2:1: max_concurrent_step: expected a known field, found 'max_concurrent_step';"
                                + " did you mean 'max_concurrent_steps'?",
                        definition + ":4:31: steps.0.needs.0: expected a step that step 'a' needs, found 'b', which is"
                                + " not a step",
                        definition + ":5:36: steps.1.concurrency: expected a whole number from 1 to 1000000000,"
                                + " found 0",
                        "weir: " + definition + " is invalid: 3 problems");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @Tag("RX.5")
    void durations_that_are_refused_show_every_problem_with_its_place() throws IOException {
        String durations = file("d.yaml", "resise: 2s\n");
        assertThat(simulate(FIVE_ITEMS, "--durations", durations)).isEqualTo(1);
        assertThat(err.toString()).contains(durations + ":1:1: resise: expected a step", "did you mean 'resize'?");
    }

    @Test
    @Tag("RX.5")
    void invalid_options_exit_2_with_a_reason() {
        assertWrong("did you mean 'concurrency'?", "--set", "steps.resize.concurency=5");
        assertWrong("did you mean 'resize'?", "--set", "steps.resise.concurrency=5");
        assertWrong("did you mean 'flow_control'?", "--set", "flowControl.rate=5");
        assertWrong("expected path=value", "--set", "concurrency");
        assertWrong("found 0", "--set", "steps.resize.concurrency=0");
        assertWrong("--compare makes the definition invalid", "--compare", "steps.resize.concurrency=1,0");
        assertWrong("--every: expected a duration", "--every", "10");
        assertWrong("--runs: expected 1 to", "--runs", "0");
        assertWrong("--workers: expected at least 1", "--workers", "0");
        assertWrong("--input: line 1, column 2", "--input", "{");
    }

    private void assertWrong(String message, String... args) {
        var all = new String[args.length + 1];
        all[0] = FIVE_ITEMS;
        System.arraycopy(args, 0, all, 1, args.length);
        assertThat(simulate(all)).as(message).isEqualTo(2);
        assertThat(err.toString()).contains(message, "Run `weir simulate --help` for usage.");
    }

    @Test
    void an_input_that_does_not_fit_its_schema_is_refused() {
        assertThat(simulate(ORDER, "--input", "{\"order\": \"A-1\"}")).isEqualTo(2);
        assertThat(err.toString()).contains("--input does not match input_schema", "customer");
    }

    @Test
    void a_file_that_is_not_there_is_no_bug() {
        assertThat(simulate("nowhere.yaml")).isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("weir: file not found: nowhere.yaml");
    }

    @Test
    void a_workflow_without_steps_is_done_at_once() {
        assertThat(simulate("../examples/seeds/0-run-limits.json")).isZero();
        assertThat(out.toString()).contains("makespan    0 s", "nothing waited for a limit");
    }
}
