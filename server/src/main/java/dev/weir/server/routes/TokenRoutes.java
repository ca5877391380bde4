package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Tokens;
import dev.weir.api.Tokens.NewToken;
import dev.weir.api.Tokens.RevokeRequest;
import dev.weir.api.Tokens.RotateRequest;
import dev.weir.api.Tokens.TokenAction;
import dev.weir.api.Tokens.TokenPage;
import dev.weir.api.Tokens.TokenRequest;
import dev.weir.api.Tokens.TokenView;
import dev.weir.core.command.CreateToken;
import dev.weir.core.command.RevokeToken;
import dev.weir.core.command.RotateToken;
import dev.weir.core.command.TokenCommand;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Permission;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.TokenScope;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.server.http.PermissionCheck;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The routes that create, list, rotate and revoke API tokens. */
final class TokenRoutes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 _.:@+-]*");
    private static final String NAME_EXPECTED = "a letter or digit, then up to " + (Tokens.NAME_CHARS_MAX - 1)
            + " letters, digits, spaces or _ . : @ + - characters";
    private static final Duration OVERLAP_MAX = Duration.ofDays(30);

    private final EngineGateway engine;

    TokenRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/tokens", Permission.MANAGE_TOKENS, this::list);
        routing.route(Method.POST, "/v1/tokens", Permission.MANAGE_TOKENS, this::create);
        routing.route(Method.POST, "/v1/tokens/{token}/rotate", Permission.MANAGE_TOKENS, this::rotate);
        routing.route(Method.POST, "/v1/tokens/{token}/revoke", Permission.MANAGE_TOKENS, this::revoke);
    }

    /** The tokens of a page, and the time at which they were read. */
    private record FoundTokens(List<TokenRow> tokens, long now) {}

    private Response list(Request request) throws Exception {
        request.allowQueries("cursor", "limit");
        int limit = PageParameters.limit(request);
        String after = request.query("cursor").orElse("");
        FoundTokens found = engine.query(
                request.org(),
                (organisation, now) -> new FoundTokens(organisation.view().tokens(after, limit + 1), now));
        boolean hasMore = found.tokens.size() > limit;
        List<TokenRow> page = hasMore ? found.tokens.subList(0, limit) : found.tokens;
        Map<String, Instant> uses = engine.weir().records().lastTokenUses(request.org());
        return Response.ok(new TokenPage(
                page.stream()
                        .map(token -> view(token, uses.get(token.name()), found.now))
                        .toList(),
                hasMore ? page.getLast().name() : null));
    }

    private static TokenView view(TokenRow token, @Nullable Instant lastUsedAt, long now) {
        Rights rights = token.rights();
        return new TokenView(
                token.name(),
                rights.role().word(),
                scopes(rights),
                rights.administrator(),
                token.hash().substring(0, TokenCommand.FINGERPRINT_CHARS),
                Moment.toInstant(token.createdAt()),
                WireWords.orNull(token.source().by()),
                expiresAt(token),
                token.expiresAt() <= now,
                lastUsedAt);
    }

    private static List<String> scopes(Rights rights) {
        return rights.scopes().stream().map(TokenScope::word).toList();
    }

    private static @Nullable Instant expiresAt(TokenRow token) {
        return WireWords.at(token.expiresAt());
    }

    private Response create(Request request) throws Exception {
        TokenRequest body = request.allowQueries().body(TokenRequest.class);
        if (!NAME.matcher(body.name()).matches()) {
            throw RefusedRequest.invalid("/name", NAME_EXPECTED, "'" + body.name() + "'");
        }
        var rights = new Rights(role(body.role()), scopes(body.scopes()), Boolean.TRUE.equals(body.administrator()));
        var by = request.attribution(body.reason());
        long now = engine.query(request.org(), (organisation, at) -> at);
        var secret = TokenSecret.create();
        var token = new TokenRow(
                body.name(), secret.hash(), rights, now, expiry(body.expiresIn(), now), TokenRow.Source.of(by));
        var command = new CreateToken(token, request.caller().rights());
        return switch (engine.send(request, command, body.reason())) {
            case CREATED -> Response.created(newToken(token, secret), "/v1/tokens");
            case NAME_TAKEN ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "token " + body.name() + " exists already; rotate it, revoke it, or choose another name");
            case TOO_MANY_RIGHTS ->
                throw PermissionCheck.refusal("at least the rights " + rights.describe(), request.caller());
            case TOO_MANY_TOKENS ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "the organisation has the maximum of " + CreateToken.TOKENS_MAX + " tokens; revoke some");
            case ALREADY_EXPIRED -> throw RefusedRequest.invalid("/expires_in", "more than 0s", "'0s'");
        };
    }

    private static Role role(String word) {
        return Role.find(word)
                .orElseThrow(() -> RefusedRequest.invalid(
                        "/role",
                        "one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Role.values())
                                                .map(Role::word)
                                                .toList()),
                        "'" + word + "'"));
    }

    private static Set<TokenScope> scopes(@Nullable List<String> words) {
        Set<TokenScope> scopes = EnumSet.noneOf(TokenScope.class);
        List<String> given = words == null ? List.of() : words;
        for (int i = 0; i < given.size(); i++) {
            String word = String.valueOf(given.get(i));
            int at = i;
            scopes.add(TokenScope.find(word)
                    .orElseThrow(() -> RefusedRequest.invalid(
                            "/scopes/" + at,
                            "one of "
                                    + String.join(
                                            ", ",
                                            Arrays.stream(TokenScope.values())
                                                    .map(TokenScope::word)
                                                    .toList()),
                            "'" + word + "'")));
        }
        return scopes;
    }

    private static long expiry(@Nullable String expiresIn, long now) {
        if (expiresIn == null) {
            return Moment.NEVER;
        }
        Duration length = Request.parseDuration("/expires_in", expiresIn);
        if (length.isZero() || length.compareTo(DefinitionBounds.DURATION_MAX) > 0) {
            throw RefusedRequest.invalid(
                    "/expires_in",
                    "more than 0s and at most " + DefinitionBounds.DURATION_MAX.toDays() + "d",
                    "'" + expiresIn + "'");
        }
        return Moment.plus(now, Moment.micros(length));
    }

    private static NewToken newToken(TokenRow token, TokenSecret secret) {
        return new NewToken(
                token.name(),
                secret.value(),
                token.rights().role().word(),
                scopes(token.rights()),
                token.rights().administrator(),
                expiresAt(token));
    }

    private Response rotate(Request request) throws Exception {
        String name = request.allowQueries().path("token");
        RotateRequest body = request.bodyOr(RotateRequest.class, new RotateRequest(null, null));
        Duration overlap = body.overlap() == null ? Duration.ZERO : Request.parseDuration("/overlap", body.overlap());
        if (overlap.compareTo(OVERLAP_MAX) > 0) {
            throw RefusedRequest.invalid(
                    "/overlap", "at most " + OVERLAP_MAX.toDays() + "d", "'" + body.overlap() + "'");
        }
        var source = TokenRow.Source.of(request.attribution(body.reason()));
        var secret = TokenSecret.create();
        var command = new RotateToken(
                name, secret.hash(), Moment.micros(overlap), request.caller().rights(), source);
        return switch (engine.send(request, command, body.reason())) {
            case RotateToken.Answer.Rotated rotated -> Response.ok(newToken(rotated.token(), secret));
            case RotateToken.Answer.TooManyRights found ->
                throw PermissionCheck.refusal(
                        "at least the rights " + found.rights().describe(), request.caller());
            case RotateToken.Answer.Expired ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT, "token " + name + " has expired; revoke it and create another one");
            case RotateToken.Answer.Repeated ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "token " + name + " was rotated by this request before, and Weir shows a token only once;"
                                + " rotate it again with another Idempotency-Key");
            case RotateToken.Answer.NotFound ignored -> throw RefusedRequest.notFound("token", name);
        };
    }

    private Response revoke(Request request) throws Exception {
        String name = request.allowQueries().path("token");
        RevokeRequest body = request.bodyOr(RevokeRequest.class, new RevokeRequest(null));
        var command = new RevokeToken(name, request.caller().rights());
        return switch (engine.send(request, command, body.reason())) {
            case REVOKED -> Response.ok(new TokenAction(name, "revoked"));
            case TOO_MANY_RIGHTS -> throw PermissionCheck.refusal("the rights of token " + name, request.caller());
            case NOT_FOUND -> throw RefusedRequest.notFound("token", name);
        };
    }
}
