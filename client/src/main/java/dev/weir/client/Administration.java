package dev.weir.client;

import dev.weir.api.Organisations;
import dev.weir.api.Tokens;
import dev.weir.client.Transport.ApiRequest;
import java.util.Map;

/** The part of the client for the administrators of a node: its organisations. */
public final class Administration {
    private static final String PATH = "/v1/organisations";

    private final Transport transport;

    Administration(Transport transport) {
        this.transport = transport;
    }

    /** Lists the organisations by name. The filter uses the API's parameter names: cursor, limit. */
    public Organisations.OrganisationPage organisations(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get(PATH + Client.query(filter)), Organisations.OrganisationPage.class);
    }

    public Organisations.OrganisationView organisation(String name) throws InterruptedException {
        return transport.send(ApiRequest.get(path(name)), Organisations.OrganisationView.class);
    }

    /** Creates an organisation. Its first token is in the response, and nowhere else. */
    public Organisations.CreatedOrganisation create(Organisations.OrganisationRequest request)
            throws InterruptedException {
        return transport.send(ApiRequest.json("POST", PATH, request), Organisations.CreatedOrganisation.class);
    }

    public Organisations.OrganisationView rename(String name, Organisations.RenameRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/rename", request), Organisations.OrganisationView.class);
    }

    /** Suspends an organisation: nothing of it starts, what runs may finish. */
    public Organisations.OrganisationView suspend(String name, Organisations.ReasonRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/suspend", request), Organisations.OrganisationView.class);
    }

    public Organisations.OrganisationView resume(String name, Organisations.ReasonRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/resume", request), Organisations.OrganisationView.class);
    }

    /** Creates another token with the role admin of an organisation. */
    public Tokens.NewToken createToken(String name, Organisations.OrganisationRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", path(name) + "/tokens", request), Tokens.NewToken.class);
    }

    /** Creates a login of the database that may leave starts for this organisation only, or gives it a new password. */
    public Organisations.StarterLogin createStarter(String name, Organisations.ReasonRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/starter", request), Organisations.StarterLogin.class);
    }

    /** Deletes all data of a suspended organisation, in the background. */
    public Organisations.DeletionOrder delete(String name, Organisations.DeletionRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/delete", request), Organisations.DeletionOrder.class);
    }

    /** Lists the newest deletions of organisations, and how far they are. */
    public Organisations.DeletionList deletions() throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/administration/deletions"), Organisations.DeletionList.class);
    }

    private static String path(String name) {
        return PATH + "/" + Client.pathSegment("organisation", name);
    }
}
