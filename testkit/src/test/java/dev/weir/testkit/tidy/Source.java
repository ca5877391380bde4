package dev.weir.testkit.tidy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A text file of the repository.
 *
 * @param file the path from the root of the repository, with slashes
 */
record Source(String file, String text) {
    /** The names in {@code .gitignore}, and git's own folder. */
    private static final Set<String> IGNORED = Set.of(
            "target", ".git", ".weir", ".idea", ".vscode", ".settings", ".classpath", ".project", "node_modules");

    boolean isJava() {
        return file.endsWith(".java");
    }

    boolean isTest() {
        return file.contains("src/test/");
    }

    /** Returns all text files below a folder, in order, without build output and editor files. */
    static List<Source> below(Path root) throws IOException {
        var sources = new ArrayList<Source>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return ignored(folder) && !folder.equals(root)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !ignored(file)) {
                    read(root, file, sources);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        sources.sort((a, b) -> a.file().compareTo(b.file()));
        return sources;
    }

    private static boolean ignored(Path path) {
        var name = String.valueOf(path.getFileName());
        return IGNORED.contains(name) || name.endsWith(".iml");
    }

    private static void read(Path root, Path file, List<Source> sources) throws IOException {
        var bytes = Files.readAllBytes(file);
        for (var b : bytes) {
            if (b == 0) {
                return; // not text
            }
        }
        var name = root.relativize(file).toString().replace('\\', '/');
        sources.add(new Source(name, new String(bytes, StandardCharsets.UTF_8)));
    }
}
