package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Sessions.SessionAction;
import dev.weir.api.Sessions.SessionView;
import dev.weir.api.Sessions.SignInLink;
import dev.weir.api.Sessions.SignInRequest;
import dev.weir.api.Sessions.TokenName;
import dev.weir.core.state.Permission;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.organisations.SessionStore.NewSession;
import dev.weir.server.http.PermissionCheck;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes that sign people in to the console and out of it. */
final class SessionRoutes {
    private static final String SIGN_IN = "/#sign-in=";

    private final SessionStore store;
    private final SessionPorts ports;

    SessionRoutes(SessionPorts ports) {
        this.store = ports.store();
        this.ports = ports;
    }

    void add(Routing routing) {
        routing.routePublic(Method.POST, "/v1/session", this::begin);
        routing.route(Method.GET, "/v1/session", Permission.READ, this::show);
        routing.route(Method.DELETE, "/v1/session", Permission.READ, this::end);
        routing.route(Method.POST, "/v1/session-links", Permission.READ, this::createLink);
    }

    private Response begin(Request request) {
        SignInRequest body = request.requireOwnPage().allowQueries().body(SignInRequest.class);
        NewSession begun = begin(body);
        Caller caller = begun.session().caller();
        if (!caller.rights().permits(Permission.READ)) {
            store.end(begun.secret());
            throw PermissionCheck.refusal(PermissionCheck.describe(Permission.READ), caller);
        }
        Instant expiresAt = begun.session().expiresAt();
        request.setSession(begun.secret(), Duration.between(Instant.now(), expiresAt));
        return Response.created(view(caller, expiresAt), "/v1/session");
    }

    private NewSession begin(SignInRequest body) {
        String token = body.token();
        String link = body.link();
        if ((token == null) == (link == null)) {
            throw RefusedRequest.invalid("", "either token or link", token == null ? "neither" : "both");
        }
        return token == null
                ? found(
                        store.beginByLink(String.valueOf(link)),
                        "a link that nobody has used yet; such a link is valid" + " for "
                                + SessionStore.LINK_AGE_MAX.toMinutes() + " min, and `weir console` prints a new one")
                : found(store.begin(token.strip()), "an API token of this node that is neither revoked nor expired");
    }

    private static <T> T found(Optional<T> result, String expected) {
        return result.orElseThrow(() -> RefusedRequest.of(Problem.Kind.UNAUTHENTICATED, "expected " + expected));
    }

    private Response show(Request request) {
        request.allowQueries();
        Instant expiresAt = null;
        if (request.credential().isSession()) {
            expiresAt = found(store.find(request.credential().secret()), "a session that has not ended")
                    .expiresAt();
        }
        return Response.ok(view(request.caller(), expiresAt));
    }

    private static SessionView view(Caller caller, @Nullable Instant expiresAt) {
        List<String> permissions = Arrays.stream(Permission.values())
                .filter(caller.rights()::permits)
                .map(permission -> permission.name().toLowerCase(Locale.ROOT))
                .toList();
        return new SessionView(
                caller.org(),
                new TokenName(caller.token()),
                caller.rights().role().word(),
                permissions,
                caller.rights().administrator(),
                expiresAt);
    }

    private Response end(Request request) {
        request.allowQueries();
        if (!request.credential().isSession()) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT, "expected a session of the console, found an API token; revoke it instead");
        }
        String secret = request.credential().secret();
        store.end(secret);
        ports.forget().accept(secret);
        request.clearSession();
        return Response.ok(new SessionAction("ended"));
    }

    private Response createLink(Request request) {
        request.allowQueries();
        if (request.credential().isSession()) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT, "expected an API token in the header Authorization, found a session");
        }
        SessionStore.NewLink link = store.createLink(request.credential().secret())
                .orElseThrow(() -> RefusedRequest.of(
                        Problem.Kind.UNAUTHENTICATED, "expected a valid API token, found one that has just ended"));
        return Response.created(
                new SignInLink(request.publicAddress() + SIGN_IN + link.code(), link.expiresAt()), "/v1/session");
    }
}
