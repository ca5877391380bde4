package dev.weir.core.expression;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the variables that a valid expression mentions, without compiling it. A loop may bind the name of a variable,
 * such as {@code item}, and so hide the variable; the name counts as mentioned even then. Functions such as
 * {@code always()} cannot be hidden, so for them the answer is exact.
 */
final class MentionedVariables {
    private static final Set<String> TEXT_PREFIXES = Set.of("r", "b", "br");

    private final String text;
    private final EnumSet<Variable> found = EnumSet.noneOf(Variable.class);
    private int position;
    /** The last character that is not white space, a comment or within a text literal. */
    private char previous;

    private MentionedVariables(String text) {
        this.text = text;
    }

    static Set<Variable> of(String text) {
        var scan = new MentionedVariables(text);
        while (scan.position < text.length()) {
            scan.readToken();
        }
        return Collections.unmodifiableSet(scan.found);
    }

    private void readToken() {
        char c = text.charAt(position);
        if (c == '\'' || c == '"') {
            position = TemplateSegments.endOfText(text, position) + 1;
            previous = c;
        } else if (text.startsWith("//", position)) {
            position = endOfLine(position);
        } else if (isNameStart(c)) {
            readName();
        } else if (c >= '0' && c <= '9') {
            position = endOfName(position);
            previous = c;
        } else {
            previous = Character.isWhitespace(c) ? previous : c;
            position++;
        }
    }

    private void readName() {
        int end = endOfName(position);
        String name = text.substring(position, end);
        boolean isMember = previous == '.';
        position = end;
        previous = 'a';
        boolean isPrefix = position < text.length()
                && (text.charAt(position) == '\'' || text.charAt(position) == '"')
                && TEXT_PREFIXES.contains(name.toLowerCase(Locale.ROOT));
        if (isMember || isPrefix) {
            return;
        }
        for (Variable variable : Variable.values()) {
            if (variable.variableName().equals(name) && (!variable.isFunction() || isCalled())) {
                found.add(variable);
            }
        }
    }

    /** True if an opening parenthesis follows. */
    private boolean isCalled() {
        int next = position;
        while (next < text.length()) {
            if (text.startsWith("//", next)) {
                next = endOfLine(next);
            } else if (Character.isWhitespace(text.charAt(next))) {
                next++;
            } else {
                return text.charAt(next) == '(';
            }
        }
        return false;
    }

    private int endOfLine(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private int endOfName(int start) {
        int end = start;
        while (end < text.length()
                && (isNameStart(text.charAt(end)) || (text.charAt(end) >= '0' && text.charAt(end) <= '9'))) {
            end++;
        }
        return end;
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
}
