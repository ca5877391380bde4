package dev.weir.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads text files of users. Its messages name the file and the reason if a file cannot be read. */
final class TextFile {
    private TextFile() {}

    static String read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": expected a file, found a directory");
        }
        try {
            return Files.readString(file);
        } catch (AccessDeniedException e) {
            throw new IOException(file + ": permission denied: this user may not read the file", e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": expected UTF-8 text, found bytes that are not valid UTF-8", e);
        }
    }

    /** Returns a value, or the content of a file if the value is @ and its name. */
    static String readValueOrFile(String value) throws IOException {
        return value.startsWith("@") ? read(Path.of(value.substring(1))) : value;
    }
}
