package dev.weir.server;

import dev.weir.postgres.embedded.AccessDenied;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file that tells programs on this machine how to reach the node. Only the user may read it.
 *
 * @param url the URL of the node
 * @param token an API token of the organisation {@code default}
 * @param certificate the file with the certificate of the node; absent without TLS
 */
public record LocalProfile(
        String url, String token, @Nullable String certificate) {
    private static final String FILE_NAME = "profile.json";
    private static final JsonMapper JSON = JsonMapper.shared();

    public LocalProfile {
        Objects.requireNonNull(url);
        Objects.requireNonNull(token);
    }

    /** Returns the profile in a data directory, if there is a readable one. */
    public static Optional<LocalProfile> find(Path data) throws IOException {
        Path file = data.resolve(FILE_NAME);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(Files.readString(file), LocalProfile.class));
        } catch (JacksonException | NullPointerException e) {
            throw new IOException("cannot parse the profile " + file + "; delete the file, and the next `weir up`"
                    + " stores a new token there");
        }
    }

    /** Returns the file of a profile that exists but that this process may not read. */
    public static Optional<Path> findUnreadable(Path data) {
        Path file = data.resolve(FILE_NAME);
        return Files.exists(file) && !Files.isReadable(file) ? Optional.of(file) : Optional.empty();
    }

    /** Writes the profile atomically. */
    Path write(Path data) throws IOException {
        try {
            return writeFile(data);
        } catch (AccessDeniedException e) {
            Path denied = e.getFile() == null ? data : Path.of(e.getFile());
            throw new NodeStartFailed(
                    "cannot store the API token in " + data + ": " + AccessDenied.explain(denied, data), e);
        }
    }

    private Path writeFile(Path data) throws IOException {
        Files.createDirectories(data);
        Path file = data.resolve(FILE_NAME);
        Path temporary = data.resolve(FILE_NAME + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, JSON.writeValueAsString(this) + "\n");
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    @Override
    public String toString() {
        return "profile for " + url;
    }
}
