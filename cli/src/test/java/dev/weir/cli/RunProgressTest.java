package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Keys.KeyHistory;
import dev.weir.api.Keys.KeySample;
import dev.weir.api.LiveEvent;
import dev.weir.api.Runs.RunView;
import dev.weir.api.WireJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Tests what the watching commands print. */
class RunProgressTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static RunView view(String steps) {
        return WireJson.LENIENT.readValue(
                ("{'id':'order-7','workflow':'order','version':2,'state':'running','priority':0,'input':{},'labels':{},"
                                + "'accepted_at':'2026-01-02T03:04:00Z','running_steps':[],'steps':[" + steps + "]}")
                        .replace('\'', '"'),
                RunView.class);
    }

    private static String step(String id, String state, String more) {
        return "{'id':'" + id + "','status':'ready','state':'" + state + "','held':false,'fence':0,'attempts':0" + more
                + "}";
    }

    @Test
    void each_step_has_a_bar_and_a_waiting_step_says_what_it_waits_for() {
        RunView run = view(String.join(
                ",",
                step("reserve", "completed", ""),
                step(
                        "each",
                        "running",
                        ",'items':{'total':10,'requested':4,'in_flight':1,'ended':5,'failed':1,'siblings_remaining':5}"),
                step("pay", "ready", ",'reason':{'reason':'limit','message':'key billing: 2 of 2 in use'}"),
                step("label", "failed", ",'error':'no paper'")));
        assertThat(RunProgress.lines(run, false, NOW))
                .containsExactly(
                        "order-7 of order v2  [##########----------] 2 of 4 steps  running for 5 s",
                        "  reserve  [####################] completed",
                        "  each     [##########----------] running, 5 of 10 items, 1 running, 1 failed",
                        "  pay      [--------------------] ready, waits: key billing: 2 of 2 in use",
                        "  label    [####################] failed: no paper");
        assertThat(RunProgress.bar(1, 2, true)).isEqualTo("█".repeat(10) + "░".repeat(10));
    }

    @Test
    void a_long_run_shows_its_open_steps() {
        var steps = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            steps.append(i == 0 ? "" : ",").append(step("s" + i, i < 90 ? "completed" : "ready", ""));
        }
        List<String> lines = RunProgress.lines(view(steps.toString()), false, NOW);
        assertThat(lines).hasSize(2 + RunProgress.STEPS_MAX).last().isEqualTo("  … and 70 more steps");
        assertThat(lines).anyMatch(line -> line.startsWith("  s99"));
    }

    @Test
    void a_screen_is_painted_over_and_texts_cannot_control_the_terminal() {
        var out = new StringWriter();
        var output = new WatchOutput(new PrintWriter(out), new Terminal(60, false, Ansi.OFF), WatchOutput.Mode.SCREEN);
        output.paint(List.of("one \u001b[31m", "x".repeat(500)));
        output.paint(List.of("two"));
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).isEqualTo("one \uFFFD[31m");
        assertThat(lines.get(1)).hasSize(59);
        assertThat(lines.get(2)).isEqualTo("\u001b[2A\u001b[Jtwo");
    }

    @Test
    void an_event_is_one_line_of_json() {
        var out = new StringWriter();
        var output = new WatchOutput(new PrintWriter(out), new Terminal(60, false, Ansi.OFF), WatchOutput.Mode.JSON);
        output.json(new LiveEvent.Opened());
        output.json(new LiveEvent.KeyEvent("k\n", 1, 2, null, false, true, NOW));
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"event\":\"open\"}",
                        "{\"event\":\"key\",\"key\":\"k\\n\",\"waiting\":1,\"used\":2,\"paused\":false,\"pinned\":true,"
                                + "\"at\":\"2026-01-02T03:04:05Z\"}");
    }

    @Test
    void the_chart_of_a_key_has_a_column_per_minute() {
        var history = new KeyHistory(
                "billing",
                "10s",
                List.of(
                        new KeySample(NOW.minusSeconds(59 * 60), 1, 1, 2),
                        new KeySample(NOW.minusSeconds(30), 8, 4, 1),
                        new KeySample(NOW.minusSeconds(20), 2, 4, 3)));
        assertThat(KeyHistoryCommand.chart(history, NOW, false))
                .containsExactly(
                        "billing: the last hour, one column per minute",
                        "waiting  |." + " ".repeat(58) + "@|  at most 8",
                        "running  |:" + " ".repeat(58) + "@|  at most 4",
                        "started  |=" + " ".repeat(58) + "@|  at most 4 a minute, 6 in all");
        assertThat(KeyHistoryCommand.chart(new KeyHistory("k", "10s", List.of()), NOW, true))
                .containsExactly("k: not used in the last hour");
    }
}
