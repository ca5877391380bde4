package dev.weir.server;

import dev.weir.engine.secret.SecretSource;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads secrets from a file with lines {@code NAME=VALUE}, or {@code ORGANISATION/NAME=VALUE} for an organisation
 * other than default. It reads the file again whenever the file has changed, so that a value can be replaced while
 * the node runs. It remembers replaced values until the node stops, because workers may still report them. No message
 * contains any text after an equals sign.
 */
final class FileSecrets implements SecretSource {
    /** The largest file that is read, in bytes. */
    static final int BYTES_MAX = 1024 * 1024;

    /** The number of replaced values that are remembered for each name. */
    static final int FORMER_VALUES_MAX = 8;

    private static final Pattern LINE = Pattern.compile("(?:([^/=\\s]+)/)?([A-Za-z_][A-Za-z0-9_]*)\\s*=(.*)");
    private static final Set<PosixFilePermission> OWNER_PERMISSIONS =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final Path file;
    private final Consumer<String> messages;
    private Map<Name, String> values;
    private FileStamp stamp;
    /** The replaced values of each name, oldest first. */
    private final Map<Name, Deque<String>> formerValues = new HashMap<>();

    /** The name of a secret and its organisation. */
    private record Name(String org, String name) {}

    /** The attributes by which a change of the file is detected. */
    private record FileStamp(FileTime modified, long bytes, Object key) {
        static FileStamp of(Path file) throws IOException {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        }
    }

    private FileSecrets(Path file, FileStamp stamp, Map<Name, String> values, Consumer<String> messages) {
        this.file = file;
        this.stamp = stamp;
        this.values = values;
        this.messages = messages;
    }

    /**
     * Reads a file.
     *
     * @param messages a listener for problems with the file that occur later, in words for people
     * @throws NodeStartFailed if other users may read the file, or it cannot be read
     */
    static FileSecrets open(Path file, Consumer<String> messages) throws NodeStartFailed {
        try {
            return new FileSecrets(file, FileStamp.of(file), read(file), messages);
        } catch (NodeStartFailed e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new NodeStartFailed("secrets: file not found: " + file);
        } catch (IOException e) {
            throw new NodeStartFailed("secrets: cannot read " + file + ": " + e.getMessage());
        }
    }

    @Override
    public synchronized Optional<String> find(String org, String name) {
        reloadIfChanged();
        return Optional.ofNullable(values.get(new Name(org, name)));
    }

    @Override
    public synchronized List<String> formerValues(String org, String name) {
        reloadIfChanged();
        return List.copyOf(formerValues.getOrDefault(new Name(org, name), new ArrayDeque<>()));
    }

    private void reloadIfChanged() {
        try {
            FileStamp now = FileStamp.of(file);
            if (!now.equals(stamp)) {
                stamp = now;
                Map<Name, String> read = read(file);
                rememberReplaced(read);
                values = read;
            }
        } catch (IOException e) {
            messages.accept(
                    "WARNING: cannot reload the secrets; the node keeps using the previous ones: " + e.getMessage());
        }
    }

    private void rememberReplaced(Map<Name, String> newValues) {
        values.forEach((name, value) -> {
            if (!value.equals(newValues.get(name))) {
                Deque<String> former = formerValues.computeIfAbsent(name, ignored -> new ArrayDeque<>());
                former.remove(value);
                former.addLast(value);
                if (former.size() > FORMER_VALUES_MAX) {
                    former.removeFirst();
                }
            }
        });
    }

    private static Map<Name, String> read(Path file) throws IOException {
        checkPermissions(file);
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BYTES_MAX + 1);
        }
        if (bytes.length > BYTES_MAX) {
            throw new NodeStartFailed(
                    "secrets: expected a file of at most " + BYTES_MAX + " bytes, found more in " + file);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return parseLines(file, text);
        } catch (CharacterCodingException e) {
            throw new NodeStartFailed("secrets: expected UTF-8 text, found invalid bytes in " + file);
        }
    }

    /** Checks that other users of the machine cannot read the file. */
    static void checkPermissions(Path file) throws IOException {
        var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view != null && !OWNER_PERMISSIONS.containsAll(view.readAttributes().permissions())) {
            throw new NodeStartFailed("secrets: expected a file that only its owner may read, found " + file
                    + " open to other users; run: chmod 600 " + file);
        }
    }

    private static Map<Name, String> parseLines(Path file, String text) throws NodeStartFailed {
        Map<Name, String> values = new HashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line.strip());
            if (!parts.matches()) {
                throw new NodeStartFailed(
                        "secrets: expected NAME=VALUE or ORGANISATION/NAME=VALUE, found something else on line "
                                + number + " of " + file);
            }
            var name =
                    new Name(parts.group(1) == null ? ServerNode.DEFAULT_ORGANISATION : parts.group(1), parts.group(2));
            if (values.put(name, unquote(parts.group(3).strip())) != null) {
                throw new NodeStartFailed("secrets: expected each name once, found " + name.name
                        + " a second time on line " + number + " of " + file);
            }
        }
        return values;
    }

    private static String unquote(String value) {
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
