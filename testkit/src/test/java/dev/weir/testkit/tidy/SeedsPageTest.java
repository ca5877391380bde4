package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the page that maps the sentences of the first documents names only existing tests. */
class SeedsPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*Test)\\.(\\w+)`");
    private static final Pattern ROW =
            Pattern.compile("^\\| .+ \\| \\*\\*([a-z ]+)\\*\\* \\|(.*)\\|$", Pattern.MULTILINE);
    private static final Set<String> WORDS = Set.of("true", "other name", "different", "planned", "background");

    @Test
    void every_test_that_the_page_names_exists() throws IOException {
        Map<String, String> tests = tests();
        var named = NAMED.matcher(page()).results().toList();
        assertThat(named).hasSizeGreaterThan(50);
        assertThat(named)
                .allSatisfy(test -> assertThat(tests.getOrDefault(test.group(1), ""))
                        .as("%s", test.group())
                        .contains("void " + test.group(2) + "("));
    }

    @Test
    void every_sentence_has_a_word_and_every_claim_names_a_test() throws IOException {
        var rows = ROW.matcher(page()).results().toList();
        assertThat(rows).hasSizeGreaterThan(100);
        assertThat(rows).allSatisfy(row -> {
            assertThat(WORDS).as("%s", row.group()).contains(row.group(1));
            if (List.of("true", "other name").contains(row.group(1))) {
                assertThat(NAMED.matcher(row.group(2)).find())
                        .as("%s", row.group())
                        .isTrue();
            }
        });
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs").resolve("SEEDS.md"));
    }

    /** The texts of all test classes by simple name. Classes with the same name share one text. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        try (var mavenModules = Files.list(ROOT)) {
            for (Path mavenModule : mavenModules.toList()) {
                Path sources = mavenModule.resolve("src").resolve("test").resolve("java");
                if (Files.isDirectory(sources)) {
                    addAll(sources, tests);
                }
            }
        }
        return tests;
    }

    private static void addAll(Path sources, Map<String, String> tests) throws IOException {
        try (var files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                tests.merge(name, Files.readString(file), String::concat);
            }
        }
    }
}
