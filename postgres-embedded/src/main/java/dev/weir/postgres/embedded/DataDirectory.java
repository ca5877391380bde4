package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data directory and the paths in it.
 *
 * @param directory the absolute path without links
 */
record DataDirectory(Path directory) {
    /**
     * The prefix of the folders with the programs. A process that runs a program from there belongs to this directory.
     */
    static final String PROGRAMS_PREFIX = "postgres-";

    /** Permissions that let others pass through but not list, because PostgreSQL may run under another account. */
    private static final String TRAVERSABLE = "rwx--x--x";

    private static final String OWNER_ONLY_FILE = "rw-------";

    static DataDirectory at(Path directory) throws IOException {
        try {
            if (!Files.exists(directory)) {
                var parent = directory.toAbsolutePath().getParent();
                if (parent != null) {
                    Files.createDirectories(parent);
                }
                Files.createDirectory(directory, permissions(TRAVERSABLE));
            }
            return new DataDirectory(directory.toRealPath());
        } catch (IOException e) {
            throw new OpenFailed(
                    "cannot create the data directory " + directory + ": " + FailureAdvice.describe(e, directory), e);
        }
    }

    Path lock() {
        return directory.resolve("weir.lock");
    }

    Path password() {
        return directory.resolve("password");
    }

    Path log() {
        return directory.resolve("postgres.log");
    }

    Path data() {
        return directory.resolve("data");
    }

    Path pidFile() {
        return data().resolve("postmaster.pid");
    }

    Path programs(String version) {
        return directory.resolve(PROGRAMS_PREFIX + version);
    }

    /** Writes a file that only the owner may read. It is complete or absent, even after a power cut. */
    void writeSecret(Path file, String text) throws IOException {
        var temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, permissions(OWNER_ONLY_FILE));
        Files.writeString(temporary, text);
        force(temporary);
        publish(temporary, file);
    }

    /** Gives a finished file or folder its final name, durably. */
    void publish(Path temporary, Path name) throws IOException {
        Files.move(temporary, name, StandardCopyOption.ATOMIC_MOVE);
        force(directory);
    }

    /**
     * Ensures that the log exists and only its owner can read it. Starts a new log if the old one has grown too large.
     */
    void prepareLog(long bytesMax) throws IOException {
        if (Files.exists(log()) && Files.size(log()) > bytesMax) {
            Files.move(log(), directory.resolve("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(log())) {
            Files.createFile(log(), permissions(OWNER_ONLY_FILE));
        }
    }

    static void force(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
