package dev.weir.testkit.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that every file of the repository follows the rules. */
class TidyTest {
    /** An exception to a rule for one file, where the rule would make that place worse, with the reason. */
    private record Excuse(Rule rule, String file, String why) {}

    private static final List<Excuse> EXCUSES = List.of();

    @Test
    void every_file_of_the_repository_is_tidy() throws IOException {
        var findings = new TreeSet<>(findings());
        findings.removeIf(finding -> EXCUSES.stream().anyMatch(excuse -> excuses(excuse, finding)));
        assertThat(findings).as("%s untidy places", findings.size()).isEmpty();
    }

    @Test
    void every_excuse_is_still_needed() throws IOException {
        var findings = findings();
        assertThat(EXCUSES)
                .filteredOn(excuse -> findings.stream().noneMatch(finding -> excuses(excuse, finding)))
                .as("excuses to remove from TidyTest")
                .isEmpty();
    }

    @Test
    void the_check_covers_the_whole_repository() throws IOException {
        assertThat(Source.below(repository()))
                .extracting(Source::file)
                .contains("weir", "pom.xml", ".ci/run", "core/pom.xml", "cli/src/main/java/dev/weir/cli/Main.java")
                .noneMatch(file -> file.contains("/target/"));
    }

    private static List<Finding> findings() throws IOException {
        var sources = Source.below(repository());
        var findings = new ArrayList<>(TextTidy.check(sources));
        findings.addAll(JavaTidy.check(sources));
        findings.addAll(NameTidy.check(sources));
        return findings;
    }

    private static boolean excuses(Excuse excuse, Finding finding) {
        return excuse.rule() == finding.rule() && excuse.file().equals(finding.file());
    }

    private static Path repository() throws IOException {
        return Path.of("..").toRealPath();
    }
}
