package dev.weir.engine.organisations;

import dev.weir.core.state.Attribution;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import java.util.Collection;
import java.util.Optional;

/** The port to the store of organisations and their API tokens. Safe for use by many threads. */
public interface OrganisationStore {
    /** The longest name of an organisation or a token, in characters. */
    int NAME_CHARS_MAX = 100;

    /** Creates an organisation, or returns the existing one of that name. */
    OrganisationRecord createOrganisation(String name);

    /** Creates an organisation; absent if one has, or had, that name. */
    Optional<OrganisationRecord> createOrganisation(String name, Attribution by);

    /**
     * Renames an organisation. The shard must not be open on this node meanwhile (see {@code Weir.whileClosed}); the
     * store ends every other ownership of the shard. The former name stays taken, so that it never comes to mean another
     * organisation.
     */
    RenameOutcome rename(String name, String newName, Attribution by);

    /** The answer to a rename. */
    enum RenameOutcome {
        RENAMED,
        NOT_FOUND,
        /** Another organisation has, or had, the new name. */
        NAME_TAKEN
    }

    /**
     * Creates a login of the database that may leave starts for this organisation only, or gives it another password.
     *
     * @throws IllegalStateException if the node's account may not create logins
     */
    StarterLogin createStarter(String org, Attribution by);

    /** A login of the database for programs that start runs in their own transactions. */
    record StarterLogin(String login, String password) {
        @Override
        public String toString() {
            return login;
        }
    }

    Optional<OrganisationRecord> findOrganisation(String name);

    /** All organisations, by name. */
    RecordPage<OrganisationRecord> list(PageRequest page);

    /**
     * Creates a token with all rights, and returns it this once; only its hash is stored. This is for the first token of
     * a node, before the organisation is in use. If the name is taken, the token gets a number after it.
     */
    String createToken(String org, String name);

    /** The holder of a token; absent if the token is unknown, revoked or expired. */
    Optional<Caller> findByToken(String token);

    /** Records that these tokens were used just now, and those of these sessions. */
    void recordUses(Collection<String> tokensAndSessions);
}
