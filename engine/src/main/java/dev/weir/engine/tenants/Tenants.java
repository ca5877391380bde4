package dev.weir.engine.tenants;

import dev.weir.engine.records.Page;
import dev.weir.engine.records.PageRequest;
import java.util.List;
import java.util.Optional;

/** Organisations and their tokens. Safe for many threads. */
public interface Tenants {
    /** The longest name of an organisation or a token, in characters. */
    int NAME_CHARS_MAX = 100;

    /** Makes an organisation; one of that name that is there already is given as it is. */
    Tenant createOrganisation(String name);

    Optional<Tenant> findOrganisation(String name);

    /** All organisations, by name. */
    Page<Tenant> list(PageRequest page);

    /** Makes a token of an organisation, and tells it this once: only its hash is kept. */
    String createToken(String org, String name);

    /** The organisation that a token speaks for; none if it is unknown or revoked. */
    Optional<Tenant> findByToken(String token);

    /** The tokens of an organisation, oldest first, revoked ones too. */
    List<Token> tokens(String org);

    /** Ends the tokens of that name; how many there were. */
    int revokeTokens(String org, String name);
}
