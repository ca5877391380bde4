package dev.weir.client;

import dev.weir.api.OrganisationAdministration;
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
    public OrganisationAdministration.OrganisationPage organisations(Map<String, String> filter)
            throws InterruptedException {
        return transport.send(
                ApiRequest.get(PATH + Client.query(filter)), OrganisationAdministration.OrganisationPage.class);
    }

    public OrganisationAdministration.OrganisationView organisation(String name) throws InterruptedException {
        return transport.send(ApiRequest.get(path(name)), OrganisationAdministration.OrganisationView.class);
    }

    /** Creates an organisation. Its first token is in the response, and nowhere else. */
    public OrganisationAdministration.CreatedOrganisation create(OrganisationAdministration.OrganisationRequest request)
            throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", PATH, request), OrganisationAdministration.CreatedOrganisation.class);
    }

    public OrganisationAdministration.OrganisationView rename(
            String name, OrganisationAdministration.RenameRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/rename", request),
                OrganisationAdministration.OrganisationView.class);
    }

    /** Suspends an organisation: nothing of it starts, what runs may finish. */
    public OrganisationAdministration.OrganisationView suspend(
            String name, OrganisationAdministration.ReasonRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/suspend", request),
                OrganisationAdministration.OrganisationView.class);
    }

    public OrganisationAdministration.OrganisationView resume(
            String name, OrganisationAdministration.ReasonRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/resume", request),
                OrganisationAdministration.OrganisationView.class);
    }

    /** Creates another token with the role admin of an organisation. */
    public Tokens.NewToken createToken(String name, OrganisationAdministration.OrganisationRequest request)
            throws InterruptedException {
        return transport.send(ApiRequest.json("POST", path(name) + "/tokens", request), Tokens.NewToken.class);
    }

    /** Creates a login of the database that may leave starts for this organisation only, or gives it a new password. */
    public OrganisationAdministration.StarterLogin createStarter(
            String name, OrganisationAdministration.ReasonRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/starter", request),
                OrganisationAdministration.StarterLogin.class);
    }

    /** Returns the quota of an organisation, and what is left of it. */
    public Organisations.Quota quota(String name) throws InterruptedException {
        return transport.send(ApiRequest.get(path(name) + "/quota"), Organisations.Quota.class);
    }

    /** Sets the quota of an organisation. Nothing enforces it. */
    public Organisations.Quota changeQuota(String name, Organisations.QuotaRequest change) throws InterruptedException {
        return transport.send(ApiRequest.json("PUT", path(name) + "/quota", change), Organisations.Quota.class);
    }

    /** Deletes all data of a suspended organisation, in the background. */
    public OrganisationAdministration.DeletionOrder delete(
            String name, OrganisationAdministration.DeletionRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/delete", request),
                OrganisationAdministration.DeletionOrder.class);
    }

    /** Lists the newest deletions of organisations, and how far they are. */
    public OrganisationAdministration.DeletionList deletions() throws InterruptedException {
        return transport.send(
                ApiRequest.get("/v1/administration/deletions"), OrganisationAdministration.DeletionList.class);
    }

    private static String path(String name) {
        return PATH + "/" + Client.pathSegment("organisation", name);
    }
}
