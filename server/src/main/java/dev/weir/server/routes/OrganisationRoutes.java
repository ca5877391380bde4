package dev.weir.server.routes;

import dev.weir.api.OrganisationAdministration.CreatedOrganisation;
import dev.weir.api.OrganisationAdministration.OrganisationPage;
import dev.weir.api.OrganisationAdministration.OrganisationRequest;
import dev.weir.api.OrganisationAdministration.OrganisationView;
import dev.weir.api.OrganisationAdministration.ReasonRequest;
import dev.weir.api.OrganisationAdministration.RenameRequest;
import dev.weir.api.OrganisationAdministration.StarterLogin;
import dev.weir.api.Problem;
import dev.weir.api.Tokens.NewToken;
import dev.weir.core.command.Command;
import dev.weir.core.command.CreateToken;
import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Permission;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.Suspension;
import dev.weir.core.state.TokenRow;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.TokenSecret;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The routes by which administrators of the node create, list, rename, suspend and resume organisations. */
final class OrganisationRoutes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");
    private static final String NAME_EXPECTED = "a letter or digit, then letters, digits or _ . - characters";
    private static final String FIRST_TOKEN = "first";
    /** The organisation that every start of a node expects, and to which the node's own secrets belong. */
    static final String FIRST_ORGANISATION = "default";

    private final EngineGateway engine;
    private final OrganisationPorts services;

    OrganisationRoutes(EngineGateway engine, OrganisationPorts services) {
        this.engine = engine;
        this.services = services;
    }

    void add(Routing routing) {
        String one = "/v1/organisations/{organisation}";
        routing.route(Method.GET, "/v1/organisations", Permission.ADMINISTER, this::list);
        routing.route(Method.POST, "/v1/organisations", Permission.ADMINISTER, this::create);
        routing.route(Method.GET, one, Permission.ADMINISTER, request -> get(request.allowQueries()));
        routing.route(Method.POST, one + "/rename", Permission.ADMINISTER, this::rename);
        routing.route(Method.POST, one + "/suspend", Permission.ADMINISTER, this::suspend);
        routing.route(Method.POST, one + "/resume", Permission.ADMINISTER, this::resume);
        routing.route(Method.POST, one + "/tokens", Permission.ADMINISTER, this::createToken);
        routing.route(Method.POST, one + "/starter", Permission.ADMINISTER, this::createStarter);
    }

    private OrganisationRecord find(Request request) {
        return find(request.path("organisation"));
    }

    private OrganisationRecord find(String name) {
        return services.store().findOrganisation(name).orElseThrow(() -> RefusedRequest.notFound("organisation", name));
    }

    private Response list(Request request) {
        request.allowQueries("cursor", "limit");
        var page = PageParameters.page(request, services.store()::list);
        List<OrganisationView> views =
                page.entries().stream().map(OrganisationRoutes::view).toList();
        return Response.ok(new OrganisationPage(views, WireWords.orNull(page.next())));
    }

    private Response get(Request request) {
        return Response.ok(view(find(request)));
    }

    private static OrganisationView view(OrganisationRecord organisation) {
        Suspension suspension = organisation.suspension();
        return new OrganisationView(
                organisation.name(),
                state(suspension),
                organisation.createdAt(),
                suspension == null ? null : Moment.toInstant(suspension.since()),
                suspension == null ? null : WireWords.orNull(suspension.reason()));
    }

    private static String state(@Nullable Suspension suspension) {
        return suspension == null ? "active" : "suspended";
    }

    private Response create(Request request) throws Exception {
        OrganisationRequest body = request.allowQueries().body(OrganisationRequest.class);
        String name = checkName(body.name());
        OrganisationRecord created = services.store()
                .createOrganisation(name, request.attribution(body.reason()))
                .orElseThrow(() -> nameTaken(name));
        NewToken token = createToken(request, name, FIRST_TOKEN, body.reason());
        return Response.created(
                new CreatedOrganisation(name, state(created.suspension()), created.createdAt(), token),
                "/v1/organisations/" + name);
    }

    private static String checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw RefusedRequest.invalid("/name", NAME_EXPECTED, "'" + name + "'");
        }
        return name;
    }

    private static RefusedRequest nameTaken(String name) {
        return RefusedRequest.of(
                Problem.Kind.CONFLICT, "an organisation has or had the name " + name + "; choose another one");
    }

    /** Creates another token with the role admin, for example because the response with the first one was lost. */
    private Response createToken(Request request) throws Exception {
        OrganisationRequest body = request.allowQueries().body(OrganisationRequest.class);
        String org = find(request).name();
        return Response.created(createToken(request, org, checkName(body.name()), body.reason()), "/v1/tokens");
    }

    private NewToken createToken(Request request, String org, String name, @Nullable String reason) throws Exception {
        var by = request.attribution(reason);
        var secret = TokenSecret.create();
        var rights = Rights.of(Role.ADMIN);
        var token = new TokenRow(name, secret.hash(), rights, 0, Moment.NEVER, TokenRow.Source.of(by));
        return switch (engine.await(engine.weir().send(org, new CreateToken(token, rights), by), Duration.ZERO)) {
            case CREATED -> new NewToken(name, secret.value(), Role.ADMIN.word(), List.of(), false, null);
            case NAME_TAKEN ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "organisation " + org + " has a token " + name + " already; choose another name for the token");
            case TOO_MANY_TOKENS, TOO_MANY_RIGHTS, ALREADY_EXPIRED ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "the organisation has the maximum of " + CreateToken.TOKENS_MAX + " tokens; revoke some");
        };
    }

    private Response createStarter(Request request) {
        ReasonRequest body = request.allowQueries().bodyOr(ReasonRequest.class, ReasonRequest.NONE);
        String name = find(request).name();
        try {
            var created = services.store().createStarter(name, request.attribution(body.reason()));
            return Response.ok(new StarterLogin(created.login(), created.password()));
        } catch (IllegalStateException e) {
            throw RefusedRequest.of(Problem.Kind.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private Response rename(Request request) {
        RenameRequest body = request.allowQueries().body(RenameRequest.class);
        String newName = checkName(body.name());
        String name = find(request).name();
        if (name.equals(FIRST_ORGANISATION)) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT, name + " is the organisation of the node itself and keeps its name");
        }
        var outcome = engine.weir()
                .whileClosed(name, () -> services.store().rename(name, newName, request.attribution(body.reason())));
        services.forgetTokens().accept(name);
        return switch (outcome) {
            case RENAMED -> Response.ok(view(find(newName)));
            case NOT_FOUND -> throw RefusedRequest.notFound("organisation", name);
            case NAME_TAKEN -> throw nameTaken(newName);
        };
    }

    private Response suspend(Request request) throws Exception {
        ReasonRequest body = request.allowQueries().bodyOr(ReasonRequest.class, ReasonRequest.NONE);
        String name = find(request).name();
        Suspension suspension = send(request, name, new SuspendOrganisation(name, body.reason()), body.reason());
        OrganisationRecord found = find(name);
        return Response.ok(view(new OrganisationRecord(name, found.shard(), found.createdAt(), suspension)));
    }

    private Response resume(Request request) throws Exception {
        ReasonRequest body = request.allowQueries().bodyOr(ReasonRequest.class, ReasonRequest.NONE);
        String name = find(request).name();
        boolean ignored = send(request, name, new ResumeOrganisation(name), body.reason());
        OrganisationRecord found = find(name);
        return Response.ok(view(new OrganisationRecord(name, found.shard(), found.createdAt(), null)));
    }

    private <A> A send(Request request, String org, Command<A> command, @Nullable String reason) throws Exception {
        return engine.await(engine.weir().send(org, command, request.attribution(reason)), Duration.ZERO);
    }
}
