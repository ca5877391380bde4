package dev.weir.server.routes;

import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.Problem;
import dev.weir.api.Secrets.SecretAction;
import dev.weir.api.Secrets.SecretPage;
import dev.weir.api.Secrets.SecretRequest;
import dev.weir.api.Secrets.SecretView;
import dev.weir.core.command.DeleteSecret;
import dev.weir.core.command.SetSecret;
import dev.weir.core.json.StorableJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Permission;
import dev.weir.core.state.SecretRow;
import dev.weir.engine.secret.SecretCipher;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The routes that set, list and delete the secrets of an organisation. No route shows a value. */
final class SecretRoutes {
    private final EngineGateway engine;
    private final SecretPorts services;

    SecretRoutes(EngineGateway engine, SecretPorts services) {
        this.engine = engine;
        this.services = services;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/secrets", Permission.MANAGE_SECRETS, this::list);
        routing.route(Method.PUT, "/v1/secrets/{secret}", Permission.MANAGE_SECRETS, this::put);
        routing.route(Method.POST, "/v1/secrets/{secret}/delete", Permission.MANAGE_SECRETS, this::delete);
    }

    private Response list(Request request) throws Exception {
        request.allowQueries();
        List<SecretRow> rows = engine.query(
                request.org(), (organisation, now) -> organisation.view().secrets());
        return Response.ok(new SecretPage(rows.stream().map(this::view).toList()));
    }

    private SecretView view(SecretRow row) {
        return new SecretView(
                row.name(),
                row.version(),
                row.keyId(),
                services.cipher().canOpen(row.keyId()),
                Moment.toInstant(row.changedAt()));
    }

    private static String name(Request request) {
        String name = request.path("secret");
        if (!SecretRow.NAME.matcher(name).matches()) {
            throw RefusedRequest.invalid(
                    "secret", "a letter or _, then at most 99 letters, digits or _", "'" + name + "'");
        }
        return name;
    }

    /** Seals the value before anything else sees it. No message contains it. */
    private Response put(Request request) throws Exception {
        SecretRequest body = request.allowQueries().body(SecretRequest.class);
        String name = name(request);
        int bytes = body.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > SecretRow.BYTES_MAX) {
            throw RefusedRequest.invalid("/value", "1 to " + SecretRow.BYTES_MAX + " bytes", bytes + " bytes");
        }
        if (StorableJson.findProblem(body.text()) != null) {
            throw RefusedRequest.invalid("/value", "text", "characters that cannot be stored");
        }
        if (!services.cipher().hasKey()) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT,
                    "the node has no key for secrets; start it with --secrets-key FILE or WEIR_SECRETS_KEY");
        }
        int organisation = services.store()
                .find(request.org(), name)
                .orElseThrow(() -> RefusedRequest.notFound("organisation", request.org()))
                .organisation();
        SecretCipher.Sealed sealed = services.cipher().seal(organisation, name, body.text());
        var command = new SetSecret(name, sealed.text(), sealed.keyId());
        return switch (engine.send(request, command, body.reason())) {
            case SetSecret.Answer.Stored stored -> {
                services.refresh().accept(request.org(), name);
                yield Response.ok(view(stored.secret()));
            }
            case SetSecret.Answer.TooMany ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "the organisation has the maximum of " + SetSecret.SECRETS_MAX + " secrets; delete some");
        };
    }

    private Response delete(Request request) throws Exception {
        ReasonRequest body = request.allowQueries().bodyOr(ReasonRequest.class, ReasonRequest.NONE);
        String name = name(request);
        if (!engine.send(request, new DeleteSecret(name), body.reason())) {
            throw RefusedRequest.notFound("secret", name);
        }
        services.refresh().accept(request.org(), name);
        return Response.ok(new SecretAction(name, "deleted"));
    }
}
