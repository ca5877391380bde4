package dev.weir.core.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Splits a text into literals and the expressions between <code>${{</code> and <code>}}</code>. */
final class TemplateSegments {
    static final String OPEN = "${{";
    private static final String CLOSE = "}}";

    /** A part of a text. */
    sealed interface Segment {}

    record Literal(String text) implements Segment {
        boolean isLineBreak() {
            return text.isBlank() && text.indexOf('\n') >= 0;
        }
    }

    record Code(Expression expression) implements Segment {}

    private final String source;
    private final Function<String, Expression> expressions;
    private final List<Segment> segments = new ArrayList<>();

    private TemplateSegments(String source, Function<String, Expression> expressions) {
        this.source = source;
        this.expressions = expressions;
    }

    /**
     * Splits a text.
     *
     * @param expressions creates an expression from its text
     */
    static List<Segment> of(String source, Function<String, Expression> expressions) {
        var segments = new TemplateSegments(source, expressions);
        segments.split();
        return List.copyOf(segments.segments);
    }

    private void split() {
        int at = 0;
        for (int open = source.indexOf(OPEN); open >= 0; open = source.indexOf(OPEN, at)) {
            addLiteral(at, open);
            int start = open + OPEN.length();
            int end = findEnd(start);
            if (end < 0) {
                throw new InvalidExpression("", open, "expected }} to close the expression, found the end of the text");
            }
            segments.add(new Code(createExpression(start, end)));
            at = end + CLOSE.length();
        }
        addLiteral(at, source.length());
    }

    private void addLiteral(int from, int to) {
        if (from < to) {
            segments.add(new Literal(source.substring(from, to)));
        }
    }

    private Expression createExpression(int start, int end) {
        try {
            return expressions.apply(source.substring(start, end));
        } catch (InvalidExpression e) {
            throw e.withOffsetShiftedBy(start);
        }
    }

    /** Returns the end of the expression: the first }} outside its own text literals and braces. */
    private int findEnd(int start) {
        int depth = 0;
        for (int at = start; at < source.length(); at++) {
            char c = source.charAt(at);
            if (c == '\'' || c == '"') {
                at = endOfText(source, at);
            } else if (c == '{') {
                depth++;
            } else if (c == '}' && depth > 0) {
                depth--;
            } else if (c == '}' && source.startsWith(CLOSE, at)) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Returns the last character of the text literal that begins there, or of the source if the literal does not end.
     */
    static int endOfText(String source, int start) {
        char quote = source.charAt(start);
        String triple = String.valueOf(quote).repeat(3);
        String close = source.startsWith(triple, start) ? triple : String.valueOf(quote);
        boolean raw = start > 0 && (source.charAt(start - 1) == 'r' || source.charAt(start - 1) == 'R');
        for (int at = start + close.length(); at < source.length(); at++) {
            if (source.charAt(at) == '\\' && !raw) {
                at++;
            } else if (source.startsWith(close, at)) {
                return at + close.length() - 1;
            }
        }
        return source.length();
    }
}
