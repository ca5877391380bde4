package dev.weir.postgres.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Advice for failures of the environment, found by the words of their messages. */
final class FailureAdvice {
    static final String ADDRESS_IN_USE = "Address already in use";

    private static final int LOG_LINES_SHOWN = 15;
    private static final int LOG_BYTES_READ = 16 * 1024;

    private static final Map<String, String> REMEDIES = new LinkedHashMap<>();

    static {
        REMEDIES.put("No space left on device", "the disk is full; free some space (a new directory needs 150 MB)");
        REMEDIES.put("Disk quota exceeded", "the disk quota is exceeded; free some space, or raise the quota");
        REMEDIES.put(ADDRESS_IN_USE, "the port is in use; choose another port, or let Weir find a free one");
        REMEDIES.put(
                "error while loading shared libraries",
                "a library of the operating system is missing; install it (libstdc++.so.6 is in the package libstdc++6"
                        + " of Debian and Ubuntu, libstdc++ of Fedora)");
        REMEDIES.put(
                "could not look up effective user ID",
                "PostgreSQL needs a user with a name; add a line for this user id to /etc/passwd");
        REMEDIES.put("could not map anonymous shared memory", "there is not enough memory; use smaller shared buffers");
        REMEDIES.put(
                "Permission denied",
                "the user of PostgreSQL may not access a file, or the file system is mounted with noexec; check the"
                        + " owner and the mount options of the data directory");
        REMEDIES.put("Read-only file system", "the file system is read-only; choose a directory on another one");
    }

    private FailureAdvice() {}

    /** Returns advice for a message; empty if there is none. */
    static String of(String text) {
        return REMEDIES.entrySet().stream()
                .filter(remedy -> text.contains(remedy.getKey()))
                .findFirst()
                .map(remedy -> "; " + remedy.getValue())
                .orElse("");
    }

    /**
     * Describes an exception about a file in that folder. Java's exceptions about files often contain only the file's
     * name.
     */
    static String describe(Exception e, Path folder) {
        if (e instanceof AccessDeniedException denied) {
            return AccessDenied.explain(denied.getFile() == null ? folder : Path.of(denied.getFile()), folder);
        }
        return e + of(String.valueOf(e));
    }

    /** Returns the last lines written to a log since it had the given length. */
    static String lastLines(Path log, long from) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            var start = Math.max(from, file.length() - LOG_BYTES_READ);
            file.seek(Math.min(start, file.length()));
            var bytes = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        }
    }
}
