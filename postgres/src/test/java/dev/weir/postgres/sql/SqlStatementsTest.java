package dev.weir.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.postgres.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that every statement can be prepared on a migrated database, and that each is used. */
class SqlStatementsTest {
    private static final Path RESOURCES = Path.of("src/main/resources/dev/weir/postgres");
    private static final Path SOURCES = Path.of("src/main/java/dev/weir/postgres");
    private static final String ROLES = "make_roles";

    @Test
    void every_statement_can_be_prepared() throws Exception {
        TestPostgres.postgres();
        List<String> prepared = new ArrayList<>();
        try (var connection = TestPostgres.address().connect("statements", Duration.ofSeconds(30))) {
            for (Path file : files()) {
                for (Map.Entry<String, String> each : statements(file).entrySet()) {
                    if (!each.getKey().equals(ROLES)) {
                        try (var statement = connection.prepareStatement(each.getValue())) {
                            assertThat(statement.getParameterMetaData().getParameterCount())
                                    .as("parameters of %s in %s", each.getKey(), file)
                                    .isNotNegative();
                        }
                    }
                    prepared.add(each.getKey());
                }
            }
        }
        assertThat(prepared).as("prepared statements").hasSizeGreaterThan(50);
    }

    @Test
    void every_statement_is_used_by_a_class_of_its_package() throws Exception {
        List<String> unused = new ArrayList<>();
        for (Path file : files()) {
            Path directory = SOURCES.resolve(RESOURCES.relativize(file)).resolveSibling("");
            String sources = sources(directory);
            for (String name : statements(file).keySet()) {
                if (!sources.contains('"' + name + '"')) {
                    unused.add(file.getFileName() + ": " + name);
                }
            }
        }
        assertThat(unused).as("unused statements").isEmpty();
    }

    @Test
    void a_statement_that_is_not_there_is_named() {
        SqlStatements sql = SqlStatements.of(dev.weir.postgres.Inbox.class);
        assertThatThrownBy(() -> sql.get("stop")).hasMessageContaining("stop").hasMessageContaining("Inbox.sql");
        assertThatThrownBy(() -> SqlStatements.parse("a.sql", "-- name: one\nselect 1\n-- name: one\nselect 2"))
                .hasMessageContaining("one twice");
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(RESOURCES)) {
            return all.filter(file -> file.toString().endsWith(".sql"))
                    .filter(file -> !file.toString().contains("migrations"))
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, String> statements(Path file) throws IOException {
        return SqlStatements.parse(file.toString(), Files.readString(file));
    }

    private static String sources(Path folder) throws IOException {
        var text = new StringBuilder();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(".java")).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }
}
