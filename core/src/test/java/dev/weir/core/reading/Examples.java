package dev.weir.core.reading;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The example files that users are told to copy. */
final class Examples {
    private static final Path ROOT = Path.of("..", "examples");

    private Examples() {}

    static String text(String name) {
        return text(ROOT.resolve(name));
    }

    static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all workflow definitions. */
    static List<Path> workflows() {
        return files().stream().filter(path -> !isCall(path)).toList();
    }

    /** True if a file describes a triggered call. */
    private static boolean isCall(Path path) {
        String name = path.getFileName().toString();
        return name.startsWith("3-") || name.equals("limited-call.json");
    }

    private static List<Path> files() {
        try (var walk = Files.walk(ROOT)) {
            return walk.filter(path -> path.toString().matches(".*\\.(ya?ml|json)"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
