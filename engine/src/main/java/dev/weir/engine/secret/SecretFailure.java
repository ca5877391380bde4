package dev.weir.engine.secret;

/**
 * Thrown if the secrets of a step's input cannot be put in. Every attempt fails until the input or the secrets change.
 */
public final class SecretFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private SecretFailure(String message) {
        super(message);
    }

    static SecretFailure missing(String name) {
        return new SecretFailure(
                "expected a secret named " + name + ", found none; set it with weir secrets set " + name);
    }

    static SecretFailure unreadable(String name, String problem) {
        return new SecretFailure("expected a secret named " + name + " that can be read, found that " + problem);
    }

    static SecretFailure tooMany(int namesMax) {
        return new SecretFailure("expected an input with at most " + namesMax
                + " different secrets, found more; use them in several steps");
    }

    static SecretFailure tooLong(int charsMax) {
        return new SecretFailure("expected an input with at most " + charsMax
                + " characters of secrets, found more; use them less often");
    }
}
