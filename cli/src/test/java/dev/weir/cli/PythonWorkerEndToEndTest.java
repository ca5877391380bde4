package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.client.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the worker of examples/python, where Python is installed. */
class PythonWorkerEndToEndTest {
    private static final Path WORKER = Path.of("..", "examples", "python", "worker.py");
    private static final int LINES_MAX = 80;

    @Test
    @Tag("R2.12")
    void a_worker_in_python_does_the_steps_of_a_run() throws Exception {
        assumeTrue(hasPython(), "python3 is not installed");
        RunningNode node = RunningNode.shared();
        node.client.apply("python", """
                workflow: python
                steps:
                  - { id: one, uses: python.hello, with: { name: "${{ input.name }}" } }
                  - { id: all, needs: [one], with_items: [1, 2, 3], uses: python.hello }
                """);
        Process worker = start(node.connection());
        try {
            node.client.start("python", "python-1", Map.of("name", "Ada"));
            var run = node.awaitEnd("python-1");
            assertThat(run.state()).isEqualTo("completed");
            assertThat(run.steps().get(0).output()).hasToString("{\"text\":\"Hello, Ada\"}");
            assertThat(worker.isAlive()).isTrue();
        } finally {
            worker.destroy();
            assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void the_example_stays_short() throws IOException {
        assertThat(Files.readAllLines(WORKER)).hasSizeLessThanOrEqualTo(LINES_MAX);
    }

    private static Process start(Connection connection) throws IOException {
        var builder = new ProcessBuilder("python3", WORKER.toString(), "python.hello").inheritIO();
        builder.environment().put("WEIR_URL", connection.url().toString());
        builder.environment().put("WEIR_TOKEN", connection.token());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder.start();
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
