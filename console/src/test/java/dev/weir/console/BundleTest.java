package dev.weir.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed bundle: small enough, and equal to what its sources build. */
class BundleTest {

    private static final Path COMMITTED = Path.of("src/main/resources/dev/weir/console");
    private static final int COMPRESSED_LIMIT = 150_000;

    @Test
    void the_compressed_bundle_stays_small() throws IOException {
        int compressed = 0;
        for (byte[] content : filesIn(COMMITTED).values()) {
            compressed += compressed(content);
        }
        assertThat(compressed).isBetween(1_000, COMPRESSED_LIMIT);
    }

    @Test
    void a_rebuild_equals_the_committed_bundle(@TempDir Path folder) throws IOException, InterruptedException {
        if (!Files.isDirectory(Path.of("node_modules/esbuild"))) {
            System.err.println("""
                    SKIPPED: the committed console is not compared with a rebuild, because its build tools are not \
                    installed. Run `npm ci` in console/ to compare it.""");
            assumeTrue(false, "console/node_modules is missing");
        }
        ProcessBuilder build = new ProcessBuilder("node", "build.mjs").redirectErrorStream(true);
        build.environment().put("WEIR_CONSOLE_TARGET", folder.toString());
        Process process =
                build.redirectOutput(folder.resolve("build.log").toFile()).start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("build.log")))
                .isZero();
        Files.delete(folder.resolve("build.log"));

        SortedMap<String, byte[]> rebuilt = filesIn(folder);
        SortedMap<String, byte[]> committed = filesIn(COMMITTED);
        assertThat(rebuilt.keySet()).isEqualTo(committed.keySet());
        rebuilt.forEach((name, content) -> assertThat(content)
                .as(name + " differs from its sources: run `npm run build` in console/ and commit the result")
                .isEqualTo(committed.get(name)));
    }

    private static SortedMap<String, byte[]> filesIn(Path folder) throws IOException {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> contents.put(folder.relativize(file).toString(), read(file)));
        }
        return contents;
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int compressed(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.size();
    }
}
