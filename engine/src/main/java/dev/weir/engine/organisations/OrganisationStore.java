package dev.weir.engine.organisations;

import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.util.List;
import java.util.Optional;

/** The port to the store of organisations and their API tokens. Safe for use by many threads. */
public interface OrganisationStore {
    /** The longest name of an organisation or a token, in characters. */
    int NAME_CHARS_MAX = 100;

    /** Creates an organisation, or returns the existing one of that name. */
    OrganisationRecord createOrganisation(String name);

    Optional<OrganisationRecord> findOrganisation(String name);

    /** All organisations, by name. */
    RecordPage<OrganisationRecord> list(PageRequest page);

    /** Creates a token and returns it this once; only its hash is stored. */
    String createToken(String org, String name);

    /** The organisation of a token; absent if the token is unknown or revoked. */
    Optional<OrganisationRecord> findByToken(String token);

    /** The tokens of an organisation, oldest first, including revoked ones. */
    List<ApiToken> tokens(String org);

    /** Revokes the tokens of that name, and returns their number. */
    int revokeTokens(String org, String name);
}
