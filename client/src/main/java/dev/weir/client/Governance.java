package dev.weir.client;

import dev.weir.api.Audits;
import dev.weir.api.OrganisationAdministration;
import dev.weir.api.Secrets;
import dev.weir.api.Sessions;
import dev.weir.api.Tokens;
import dev.weir.api.Workflows;
import dev.weir.client.Transport.ApiRequest;
import java.util.Map;
import java.util.UUID;

/** The part of the client for API tokens, secrets, the audit, and what may start. */
public final class Governance {
    private final Transport transport;

    Governance(Transport transport) {
        this.transport = transport;
    }

    /** Lists the tokens that are not revoked, by name. The filter uses the API's parameter names: cursor, limit. */
    public Tokens.TokenPage tokens(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/tokens" + Client.query(filter)), Tokens.TokenPage.class);
    }

    /** Creates a token. Its value is in the response, and nowhere else. */
    public Tokens.NewToken createToken(Tokens.TokenRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/tokens", request), Tokens.NewToken.class);
    }

    /**
     * Replaces a token by another one with the same name and rights. A repeated request is recognised by its key, so
     * that a lost response does not rotate the token twice.
     */
    public Tokens.NewToken rotateToken(String name, Tokens.RotateRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("POST", path(name) + "/rotate", request)
                        .withKey(UUID.randomUUID().toString()),
                Tokens.NewToken.class);
    }

    public Tokens.TokenAction revokeToken(String name, Tokens.RevokeRequest request) throws InterruptedException {
        return transport.send(ApiRequest.json("POST", path(name) + "/revoke", request), Tokens.TokenAction.class);
    }

    /** Creates a link to the console that signs in once, with the token of this client. */
    public Sessions.SignInLink createSignInLink() throws InterruptedException {
        return transport.send(ApiRequest.json("POST", "/v1/session-links", null), Sessions.SignInLink.class);
    }

    /** The organisations of the node, for its administrators. */
    public Administration administration() {
        return new Administration(transport);
    }

    /** Pauses, archives or opens a workflow. */
    public OrganisationAdministration.AvailabilityView setAvailability(
            String workflow, OrganisationAdministration.AvailabilityRequest request) throws InterruptedException {
        String path = "/v1/workflows/" + Client.pathSegment("workflow", workflow) + "/availability";
        return transport.send(ApiRequest.json("PUT", path, request), OrganisationAdministration.AvailabilityView.class);
    }

    /** Lists workflows by name. The filter uses the API's parameter names: archived, cursor, limit. */
    public Workflows.WorkflowPage workflows(Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/workflows" + Client.query(filter)), Workflows.WorkflowPage.class);
    }

    /** Lists the secrets of the organisation. Nobody can read their values. */
    public Secrets.SecretPage secrets() throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/secrets"), Secrets.SecretPage.class);
    }

    public Secrets.SecretView setSecret(String name, Secrets.SecretRequest request) throws InterruptedException {
        return transport.send(
                ApiRequest.json("PUT", "/v1/secrets/" + Client.pathSegment("secret", name), request),
                Secrets.SecretView.class);
    }

    public Secrets.SecretAction deleteSecret(String name, OrganisationAdministration.ReasonRequest request)
            throws InterruptedException {
        String path = "/v1/secrets/" + Client.pathSegment("secret", name) + "/delete";
        return transport.send(ApiRequest.json("POST", path, request), Secrets.SecretAction.class);
    }

    /** Deletes everything that is stored about an ended run, in the background. */
    public OrganisationAdministration.DeletionOrder deleteRun(
            String run, OrganisationAdministration.DeletionRequest request) throws InterruptedException {
        String path = "/v1/runs/" + Client.pathSegment("run", run) + "/delete";
        return transport.send(
                ApiRequest.json("POST", path, request).withKey(UUID.randomUUID().toString()),
                OrganisationAdministration.DeletionOrder.class);
    }

    /** Lists the newest deletions of runs of the organisation. */
    public OrganisationAdministration.DeletionList deletions() throws InterruptedException {
        return transport.send(ApiRequest.get("/v1/deletions"), OrganisationAdministration.DeletionList.class);
    }

    private static String path(String name) {
        return "/v1/tokens/" + Client.pathSegment("token", name);
    }

    /**
     * Lists changes, newest first. The filter uses the API's parameter names: actor, action, target, since, until,
     * cursor, limit. A page may be short, or empty, and still have a cursor.
     */
    public Audits.AuditPage audit(AuditChain chain, Map<String, String> filter) throws InterruptedException {
        return transport.send(ApiRequest.get(chain.path + Client.query(filter)), Audits.AuditPage.class);
    }

    /** Checks the next entries of a chain. The parameters are those of the API: after, head. */
    public Audits.ChainCheck verify(AuditChain chain, Map<String, String> parameters) throws InterruptedException {
        return transport.send(
                ApiRequest.get(chain.path + "/verify" + Client.query(parameters)), Audits.ChainCheck.class);
    }

    /** The audit chains that a caller can read. */
    public enum AuditChain {
        /** The chain of the caller's organisation. */
        ORGANISATION("/v1/audit"),
        /** The chain of the node's administration. Only administrators can read it. */
        ADMINISTRATION("/v1/administration/audit");

        private final String path;

        AuditChain(String path) {
            this.path = path;
        }
    }
}
