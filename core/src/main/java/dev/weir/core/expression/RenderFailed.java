package dev.weir.core.expression;

/** An expression that could not be evaluated with the data that it was given. */
public final class RenderFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RenderFailed(Scope scope, String expression, String detail) {
        super(scope.place() + ": ${{ " + expression + " }}: " + detail);
    }

    public RenderFailed(Scope scope, String detail) {
        super(scope.place() + ": " + detail);
    }
}
