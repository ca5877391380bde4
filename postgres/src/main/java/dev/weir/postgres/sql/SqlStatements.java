package dev.weir.postgres.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The named statements of one class. They are in a file of the same name next to the class, each after a line {@code --
 * name: …}.
 */
public final class SqlStatements {
    private static final Pattern SECTION = Pattern.compile("(?m)^-- name: (\\w+)$");

    private final String file;
    private final Map<String, String> statements;

    private SqlStatements(String file, Map<String, String> statements) {
        this.file = file;
        this.statements = statements;
    }

    public static SqlStatements of(Class<?> owner) {
        String file = owner.getSimpleName() + ".sql";
        try (InputStream in = owner.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("expected " + file + " next to " + owner.getName() + ", found none");
            }
            return new SqlStatements(file, parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Returns the statements of a text by name, in order. */
    public static Map<String, String> parse(String file, String text) {
        Map<String, String> statements = new LinkedHashMap<>();
        var section = SECTION.matcher(text);
        boolean found = section.find();
        while (found) {
            String name = section.group(1);
            int begin = section.end();
            found = section.find();
            String body = text.substring(begin, found ? section.start() : text.length());
            if (statements.put(name, body.strip()) != null) {
                throw new IllegalStateException("expected each name once in " + file + ", found " + name + " twice");
            }
        }
        return statements;
    }

    public String get(String name) {
        String statement = statements.get(name);
        if (statement == null) {
            throw new IllegalStateException("expected a statement " + name + " in " + file + ", found none");
        }
        return statement;
    }
}
