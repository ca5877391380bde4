package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.WireJson;
import dev.weir.api.Work;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Shows modules and workers from the command line, before and after a restart of the node. */
@Tag("RX.4")
class ModulesEndToEndTest {
    private final StringWriter out = new StringWriter();

    private String weir(RunningNode node, String... arguments) throws Exception {
        out.getBuffer().setLength(0);
        var err = new StringWriter();
        var all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", node.data.toString()));
        int status = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        assertThat(status).as(err.toString()).isZero();
        return out.toString().strip();
    }

    private JsonNode json(RunningNode node, String... arguments) throws Exception {
        return WireJson.LENIENT.readTree(weir(node, arguments));
    }

    @Test
    void the_command_line_says_what_lacks_a_worker_and_what_a_limit_holds_also_after_a_restart() throws Exception {
        RunningNode node = RunningNode.in("modules");
        try {
            node.client.apply(
                    "labels",
                    "workflow: labels\nsteps: [ { id: a, uses: shipping.label, with_items: [1, 2, 3, 4, 5],"
                            + " flow_control: { key: printer, parallelism: 2 } } ]\n");
            node.client.start(StartRunRequest.of("labels", "l1", null));
            assertThat(weir(node, "modules", "shipping.label"))
                    .containsPattern("shipping.label +2 .* ago +0 +0 +0 +3 key_capacity");
            assertThat(json(node, "modules", "-o", "json").findValuesAsString("module"))
                    .contains("shipping.label");

            var claims = node.client.claim(new Work.ClaimRequest(
                    List.of(Work.ModuleInfo.of("shipping.label")), null, null, 9, null, "1m", null, "printer-1"));
            assertThat(claims.claims()).hasSize(2);
            assertHeldWithTwoRunning(node);
            node = node.restart();
            assertHeldWithTwoRunning(node);
        } finally {
            node.close();
        }
    }

    private void assertHeldWithTwoRunning(RunningNode node) throws Exception {
        JsonNode module = json(node, "modules", "shipping.label", "-o", "json");
        assertThat(module.at("/ready").intValue()).isZero();
        assertThat(module.at("/running").intValue()).isEqualTo(2);
        assertThat(module.at("/demand").intValue()).isEqualTo(2);
        assertThat(module.at("/held/key_capacity").intValue()).isEqualTo(3);
        JsonNode worker = json(node, "workers", "--prefix", "printer-", "-o", "json");
        assertThat(worker.at("/workers/0/worker").stringValue()).isEqualTo("printer-1");
        assertThat(worker.at("/workers/0/running").intValue()).isEqualTo(2);
        assertThat(weir(node, "workers")).containsPattern("printer-1 +2 .*shipping.label");
    }
}
