package dev.weir.server;

import dev.weir.engine.call.Secrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Secrets from a file of lines {@code NAME=VALUE}, of another organisation than default {@code ORGANISATION/NAME=VALUE}.
 * It is looked at again whenever it has changed, so that a value can be replaced while the node runs. No message holds
 * anything that stands behind an equals sign.
 */
final class FileSecrets implements Secrets {
    /** The largest file that is read. */
    static final int BYTES_MAX = 1024 * 1024;

    private static final Pattern LINE = Pattern.compile("(?:([^/=\\s]+)/)?([A-Za-z_][A-Za-z0-9_]*)\\s*=(.*)");
    private static final Set<PosixFilePermission> OF_ITS_OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path file;
    private final Consumer<String> told;
    private Map<Name, String> values;
    private Mark mark;

    /** Which secret of whom. */
    private record Name(String org, String name) {}

    /** By what a file is seen to have changed. */
    private record Mark(FileTime modified, long bytes, Object key) {
        static Mark of(Path file) throws IOException {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Mark(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        }
    }

    private FileSecrets(Path file, Mark mark, Map<Name, String> values, Consumer<String> told) {
        this.file = file;
        this.mark = mark;
        this.values = values;
        this.told = told;
    }

    /**
     * Reads a file.
     *
     * @param told what is wrong with it later, in words, for people
     * @throws NodeFailed if others may read it, or it cannot be read
     */
    static FileSecrets open(Path file, Consumer<String> told) throws NodeFailed {
        try {
            return new FileSecrets(file, Mark.of(file), read(file), told);
        } catch (NodeFailed e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new NodeFailed("secrets: expected a file " + file + ", found none");
        } catch (IOException e) {
            throw new NodeFailed("secrets: " + file + " cannot be read: " + e.getMessage());
        }
    }

    @Override
    public synchronized Optional<String> find(String org, String name) {
        try {
            Mark now = Mark.of(file);
            if (!now.equals(mark)) {
                mark = now;
                values = read(file);
            }
        } catch (IOException e) {
            told.accept("WARNING: the secrets that were known stay in use: " + e.getMessage());
        }
        return Optional.ofNullable(values.get(new Name(org, name)));
    }

    private static Map<Name, String> read(Path file) throws IOException {
        checkOwner(file);
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BYTES_MAX + 1);
        }
        if (bytes.length > BYTES_MAX) {
            throw new NodeFailed("secrets: expected a file of at most " + BYTES_MAX + " bytes, found more in " + file);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return lines(file, text);
        } catch (CharacterCodingException e) {
            throw new NodeFailed("secrets: expected text in UTF-8, found something else in " + file);
        }
    }

    /** Others on the machine must not be able to read it. */
    private static void checkOwner(Path file) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null && !OF_ITS_OWNER.containsAll(view.readAttributes().permissions())) {
            throw new NodeFailed("secrets: expected a file that only its owner may read, found " + file
                    + " open to others; run: chmod 600 " + file);
        }
    }

    private static Map<Name, String> lines(Path file, String text) throws NodeFailed {
        Map<Name, String> values = new HashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line.strip());
            if (!parts.matches()) {
                throw new NodeFailed(
                        "secrets: expected NAME=VALUE or ORGANISATION/NAME=VALUE, found something else on line "
                                + number + " of " + file);
            }
            var name = new Name(parts.group(1) == null ? Node.ORGANISATION : parts.group(1), parts.group(2));
            if (values.put(name, unquoted(parts.group(3).strip())) != null) {
                throw new NodeFailed("secrets: expected each name once, found " + name.name + " again on line " + number
                        + " of " + file);
            }
        }
        return values;
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
