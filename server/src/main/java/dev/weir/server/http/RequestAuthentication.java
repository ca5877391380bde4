package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.engine.organisations.Caller;
import io.javalin.http.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the credential of a request, and who holds it. */
final class RequestAuthentication {
    private static final String BEARER = "bearer ";

    private final Authenticator authenticator;
    private final SessionCookie cookie;

    /** A credential and its holder. */
    record Authenticated(Credential credential, Caller caller) {}

    RequestAuthentication(Authenticator authenticator, SessionCookie cookie) {
        this.authenticator = authenticator;
        this.cookie = cookie;
    }

    /** Returns the caller of a request. A token in the header takes precedence over a session. */
    Authenticated authenticate(Context context) {
        String header = context.header("Authorization");
        Optional<String> session = header == null ? cookie.read(context) : Optional.empty();
        return session.isPresent() ? bySession(context, session.get()) : byToken(header);
    }

    private Authenticated bySession(Context context, String secret) {
        var credential = Credential.session(secret);
        var authenticated = authenticator
                .caller(credential)
                .map(caller -> new Authenticated(credential, caller))
                .orElseThrow(() -> RefusedRequest.of(
                        Problem.Kind.UNAUTHENTICATED,
                        "expected a session of the console, found one that has ended; sign in again"));
        String method = context.req().getMethod();
        cookie.requireOwnPage(context, !method.equals("GET") && !method.equals("HEAD"));
        context.header("Cache-Control", "no-store");
        return authenticated;
    }

    private Authenticated byToken(@Nullable String header) {
        if (header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw RefusedRequest.of(
                    Problem.Kind.UNAUTHENTICATED,
                    "expected the header Authorization: Bearer TOKEN, found "
                            + (header == null ? "none" : "another scheme"));
        }
        var credential = Credential.token(header.substring(BEARER.length()).strip());
        return authenticator
                .caller(credential)
                .map(caller -> new Authenticated(credential, caller))
                .orElseThrow(() -> RefusedRequest.of(
                        Problem.Kind.UNAUTHENTICATED,
                        "expected an API token of this server, found an unknown, revoked or expired one"));
    }
}
