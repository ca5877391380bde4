package dev.weir.server;

import dev.weir.postgres.embedded.Denied;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * How programs on this machine reach the node: a file that only the user may read.
 *
 * @param url of the node
 * @param token an API token of the organisation {@code default}
 */
public record Profile(String url, String token) {
    private static final String FILE = "profile.json";
    private static final JsonMapper JSON = JsonMapper.shared();

    public Profile {
        Objects.requireNonNull(url);
        Objects.requireNonNull(token);
    }

    /** The profile in a data directory, if there is one that can be read. */
    public static Optional<Profile> find(Path data) throws IOException {
        Path file = data.resolve(FILE);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(Files.readString(file), Profile.class));
        } catch (JacksonException | NullPointerException e) {
            throw new IOException("expected a profile in " + file + ", found something else; delete it, and the next"
                    + " 'weir up' notes a new token there");
        }
    }

    /** The file of a profile that is there and may not be read by this process. */
    public static Optional<Path> findUnreadable(Path data) {
        Path file = data.resolve(FILE);
        return Files.exists(file) && !Files.isReadable(file) ? Optional.of(file) : Optional.empty();
    }

    /** Writes it, in full or not at all. */
    Path write(Path data) throws IOException {
        try {
            return writeIn(data);
        } catch (AccessDeniedException e) {
            Path denied = e.getFile() == null ? data : Path.of(e.getFile());
            throw new NodeFailed("cannot note the API token in " + data + ": " + Denied.words(denied, data), e);
        }
    }

    private Path writeIn(Path data) throws IOException {
        Files.createDirectories(data);
        Path file = data.resolve(FILE);
        Path temporary = data.resolve(FILE + ".new");
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
