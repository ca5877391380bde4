package dev.weir.core.expression;

/** Failure to evaluate an expression with the given data. */
public final class RenderFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The longest reason, in characters. A reason may quote data of any length. */
    static final int DETAIL_CHARS_MAX = 1_000;

    RenderFailed(Scope scope, String expression, String detail) {
        super(scope.location() + ": ${{ " + expression + " }}: " + shortened(detail));
    }

    public RenderFailed(Scope scope, String detail) {
        super(scope.location() + ": " + shortened(detail));
    }

    private static String shortened(String detail) {
        return detail.length() <= DETAIL_CHARS_MAX ? detail : detail.substring(0, DETAIL_CHARS_MAX) + "…";
    }
}
