package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the scripts of examples/seeds, each with its own node. */
@Tag("R0.6")
@Tag("R1.3")
@Tag("R2.4")
@Tag("R3.5")
@Tag("R4.3")
class SeedScriptsEndToEndTest {
    private static final Path SEEDS = Path.of("..", "examples", "seeds").toAbsolutePath();
    private static final Pattern PRINTED = Pattern.compile("`(PASS [^`]+)`");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void a_script_passes_every_sentence_and_prints_what_its_page_says(int seed, @TempDir Path directory)
            throws Exception {
        Path folder = SEEDS.resolve(String.valueOf(seed));
        var builder = new ProcessBuilder(folder.resolve("run.sh").toString()).redirectErrorStream(true);
        builder.environment().put("WEIR", launcher(directory).toString());
        builder.environment().put("WEIR_CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("SEED_MINUTE_MS", "6000");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process script = builder.start();
        String printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(printed).isZero();
        assertThat(printed).doesNotContain("FAIL");
        List<String> shown = PRINTED.matcher(Files.readString(folder.resolve("README.md")))
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(shown).hasSizeGreaterThan(8);
        assertThat(printed.lines()).containsAll(shown);
    }

    /** Creates a command that runs the classes under test. */
    private static Path launcher(Path directory) throws IOException {
        Path launcher = directory.resolve("weir");
        Files.writeString(
                launcher,
                "#!/bin/sh\nexec '%s' -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        return Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
