package dev.weir.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests that the example of a workflow test in {@code examples/java} compiles and passes. */
class ExamplesTest {
    @TempDir
    private Path classes;

    @Test
    void the_example_of_a_workflow_test_passes_in_no_time() throws Exception {
        compile(Path.of("..", "examples", "java", "OrderWorkflowTest.java"));
        try (var loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            var summary = run(loader.loadClass("OrderWorkflowTest"));
            assertThat(summary.getFailures()).isEmpty();
            assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
        }
    }

    private static TestExecutionSummary run(Class<?> test) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(test))
                                .build(),
                        listener);
        return listener.getSummary();
    }

    private void compile(Path source) throws IOException {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        var output = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-d", classes.toString(), "-proc:none", "-cp", classPath());
            boolean compiled = compiler.getTask(output, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(output.toString()).isTrue();
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    }
}
