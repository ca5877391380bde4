package dev.weir.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.postgres.sql.DatabaseAddress;
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

/** Compiles and runs the programs in {@code examples/java}, and checks their results. */
class ExamplesTest {
    @TempDir
    private Path classes;

    @Test
    void an_order_and_its_run_commit_together() throws Exception {
        DatabaseAddress address = TestPostgres.address();
        run("TransactionalStart", address.url(), address.user(), address.password());
        try (var connection = address.connect("test", java.time.Duration.ofSeconds(10));
                var statement = connection.createStatement();
                var found = statement.executeQuery("select count(*) from public.orders")) {
            found.next();
            assertThat(found.getInt(1)).isEqualTo(1);
        }
        assertThat(TestPostgres.postgres().records().findRun("shop", "order-1")).isPresent();
    }

    private void run(String program, String... arguments) throws Exception {
        compile(Path.of("..", "examples", "java", program + ".java"));
        try (var loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            loader.loadClass(program).getMethod("main", String[].class).invoke(null, (Object) arguments);
        }
    }

    private void compile(Path source) throws IOException {
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        var output = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            output,
                            files,
                            null,
                            List.of("-d", classes.toString(), "-proc:none", "-cp", classPath()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(output.toString()).isTrue();
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    }
}
