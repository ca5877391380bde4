package dev.weir.server;

import dev.weir.engine.secret.SecretCipher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys with which a node seals secrets: from a file, else from WEIR_SECRETS_KEY, else from the file that the node
 * makes beside its embedded PostgreSQL. A problem does not stop the node; its health shows it.
 *
 * @param problem the reason why there are no keys; absent if there are some
 */
record SecretKeys(SecretCipher cipher, @Nullable String problem) {
    static final String VARIABLE = "WEIR_SECRETS_KEY";
    static final String FILE_NAME = "secrets.key";
    private static final String EXPECTED = "expected lines with 32 bytes in base64, as from: openssl rand -base64 32";

    /**
     * Reads the keys.
     *
     * @param file the file that the operator named; absent if none
     * @param own the file that the node may make; absent if the database is not its own
     */
    static SecretKeys read(@Nullable Path file, Map<String, String> environment, @Nullable Path own) {
        try {
            String text = environment.get(VARIABLE);
            if (file != null) {
                return parse(file.toString(), readFile(file));
            }
            if (text != null && !text.isBlank()) {
                return parse(VARIABLE, text);
            }
            if (own == null) {
                return none("no key for secrets was given; start the node with --secrets-key FILE or " + VARIABLE);
            }
            if (!Files.exists(own)) {
                make(own);
            }
            return parse(own.toString(), readFile(own));
        } catch (IOException e) {
            return none("cannot read the key for secrets: " + e.getMessage());
        }
    }

    private static SecretKeys none(String problem) {
        return new SecretKeys(SecretCipher.withoutKey(), problem);
    }

    private static String readFile(Path file) throws IOException {
        FileSecrets.checkPermissions(file);
        return Files.readString(file);
    }

    private static void make(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = file.resolveSibling(FILE_NAME + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, Base64.getEncoder().encodeToString(SecretCipher.newKey()) + "\n");
        Files.move(temporary, file);
    }

    /** Reads the lines. No message contains any of them. */
    private static SecretKeys parse(String source, String text) {
        List<byte[]> keys = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            byte[] key;
            try {
                key = Base64.getDecoder().decode(line.strip());
            } catch (IllegalArgumentException e) {
                return none(EXPECTED + "; found something else on line " + number + " of " + source);
            }
            if (key.length != SecretCipher.KEY_BYTES || keys.size() == SecretCipher.KEYS_MAX) {
                return none(EXPECTED + ", at most " + SecretCipher.KEYS_MAX + "; found another length or more on line "
                        + number + " of " + source);
            }
            keys.add(key);
        }
        return keys.isEmpty()
                ? none(EXPECTED + "; found none in " + source)
                : new SecretKeys(SecretCipher.of(keys), null);
    }
}
