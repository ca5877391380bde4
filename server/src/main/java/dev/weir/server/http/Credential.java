package dev.weir.server.http;

/** The proof of who sent a request. */
public record Credential(Kind kind, String secret) {
    /** The kinds of credentials. */
    public enum Kind {
        /** An API token, in the header {@code Authorization}. */
        TOKEN,
        /** A session of the console, in a cookie. */
        SESSION
    }

    public static Credential token(String secret) {
        return new Credential(Kind.TOKEN, secret);
    }

    public static Credential session(String secret) {
        return new Credential(Kind.SESSION, secret);
    }

    public boolean isSession() {
        return kind == Kind.SESSION;
    }

    @Override
    public String toString() {
        return "a " + kind;
    }
}
