package dev.weir.postgres.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once per version into the data directory. */
record PostgresPrograms(String version, Path folder) {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int EXECUTABLE_BITS = 0111;

    /** The time limit of sync, which waits for everything that was written to the same file system, by any process. */
    private static final Duration SYNC_TIMEOUT = Duration.ofMinutes(2);

    /**
     * Unpacks the programs unless they exist. The caller must hold the directory's lock, and nothing may run from it.
     */
    static PostgresPrograms unpack(DataDirectory home, Platform platform) throws IOException {
        var version = bundledVersion();
        var programs = new PostgresPrograms(version, home.programs(version));
        if (!Files.isDirectory(programs.folder)) {
            try {
                deleteAll(home);
                var temporary = home.directory().resolve(DataDirectory.PROGRAMS_PREFIX + version + ".new");
                extract(platform, temporary);
                home.publish(temporary, programs.folder);
            } catch (IOException e) {
                throw e instanceof OpenFailed
                        ? e
                        : new OpenFailed(
                                "cannot unpack PostgreSQL into " + programs.folder + ": "
                                        + FailureAdvice.describe(e, home.directory()),
                                e);
            }
        }
        return programs;
    }

    Path program(String name) {
        return folder.resolve("bin").resolve(name);
    }

    static String bundledVersion() throws IOException {
        var properties = new Properties();
        try (var in = PostgresPrograms.class.getResourceAsStream("postgres.properties")) {
            if (in == null) {
                throw new IllegalStateException("postgres.properties is not in the jar of weir-postgres-embedded");
            }
            properties.load(in);
        }
        return properties.getProperty("binaries.version", "");
    }

    /** Deletes older versions, and the incomplete files of a process that died. */
    private static void deleteAll(DataDirectory home) throws IOException {
        try (var found = Files.newDirectoryStream(home.directory(), DataDirectory.PROGRAMS_PREFIX + "*")) {
            for (var folder : found) {
                DataDirectory.deleteTree(folder);
            }
        }
    }

    private static void extract(Platform platform, Path target) throws IOException {
        try (var archive = open(platform);
                var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            Files.createDirectory(target);
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                var path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException(
                            platform.archive() + " has an entry outside of its folder: " + entry.getName());
                }
                if (isNeeded(entry)) {
                    extract(tar, entry, path);
                }
            }
        }
        force(platform, target);
    }

    /** True unless the file only serves to compile extensions. */
    private static boolean isNeeded(TarArchiveEntry entry) {
        var name = entry.getName();
        return !name.endsWith(".a") && !name.contains("/pgxs/") && !name.contains("/pkgconfig/");
    }

    private static void extract(InputStream content, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        var parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        try (var file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var out = Channels.newOutputStream(file);
            var buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                out.write(buffer, 0, read);
            }
        }
        var executable = (entry.getMode() & EXECUTABLE_BITS) != 0;
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    /** Lets PostgreSQL's account read the files, whatever the umask, and makes them durable. */
    private static void force(Platform platform, Path target) throws IOException {
        try (var walk = Files.walk(target)) {
            var paths = walk.filter(path -> !Files.isSymbolicLink(path)).toList();
            for (var path : paths) {
                if (Files.isDirectory(path)) {
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
            // There are a thousand small files: a sync of each takes seconds, one for all takes a moment. macOS has no
            // such call.
            var syncCommand = List.of("sync", "-f", target.toString());
            if (platform.isMac()
                    || ExternalCommand.run(target, syncCommand, SYNC_TIMEOUT).exitCode() != 0) {
                for (var path : paths) {
                    DataDirectory.force(path);
                }
            }
        }
    }

    private static InputStream open(Platform platform) throws OpenFailed {
        var archive = PostgresPrograms.class.getResourceAsStream("/" + platform.archive());
        if (archive == null) {
            throw new OpenFailed("expected " + platform.archive()
                    + " on the class path, found nothing; add the artifact " + platform.artifact()
                    + "; Maven adds it if you build Weir on the machine that runs it");
        }
        return archive;
    }
}
