package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and responses about organisations, for the administrators of a node, and about what may start. */
public final class OrganisationAdministration {
    /** The longest name of an organisation, in characters. */
    public static final int NAME_CHARS_MAX = 100;

    private OrganisationAdministration() {}

    /**
     * An organisation to create.
     *
     * @param reason the reason, for the audit
     */
    public record OrganisationRequest(String name, @Nullable String reason) {
        public OrganisationRequest {
            name = InvalidValue.text("name", name, NAME_CHARS_MAX);
        }
    }

    /**
     * A new name.
     *
     * @param reason the reason, for the audit
     */
    public record RenameRequest(String name, @Nullable String reason) {
        public RenameRequest {
            name = InvalidValue.text("name", name, NAME_CHARS_MAX);
        }
    }

    /** The reason of a change, for the audit. */
    public record ReasonRequest(@Nullable String reason) {
        public static final ReasonRequest NONE = new ReasonRequest(null);
    }

    /**
     * An organisation.
     *
     * @param state active or suspended
     * @param suspendedAt absent if it is not suspended
     * @param reason the reason of the suspension; absent if none was given
     */
    public record OrganisationView(
            String name,
            String state,
            Instant createdAt,
            @Nullable Instant suspendedAt,
            @Nullable String reason) {}

    public record OrganisationPage(
            List<OrganisationView> organisations, @Nullable String next) {}

    /**
     * A new organisation.
     *
     * @param token its first token, with the role admin; Weir shows it only this once
     */
    public record CreatedOrganisation(String name, String state, Instant createdAt, Tokens.NewToken token) {}

    /**
     * A login of the database that may leave starts in the inbox for one organisation only.
     *
     * @param password the password; Weir shows it only this once
     */
    public record StarterLogin(String login, String password) {
        @Override
        public String toString() {
            return login;
        }
    }

    /**
     * The order to delete all data of an organisation, or of a run.
     *
     * @param confirm the name of the organisation, or the id of the run, again
     * @param reason the reason, for the audit
     */
    public record DeletionRequest(String confirm, @Nullable String reason) {
        public DeletionRequest {
            confirm = InvalidValue.present("confirm", "a string", confirm);
        }
    }

    /**
     * A deletion.
     *
     * @param run the id of the run; absent if all data of the organisation is deleted
     * @param state running or completed
     * @param rows the number of rows that are deleted so far
     */
    public record DeletionView(
            String id,
            String organisation,
            @Nullable String run,
            String state,
            long rows,
            Instant beganAt,
            @Nullable Instant endedAt) {}

    public record DeletionList(List<DeletionView> deletions) {}

    /** The answer to the order to delete: the deletion goes on in the background. */
    public record DeletionOrder(String id, String state) {}

    /**
     * The availability of a workflow, which says if its runs may start.
     *
     * @param availability open, paused (new runs stay queued) or archived (new runs are refused)
     * @param reason the reason, for the audit
     */
    public record AvailabilityRequest(
            String availability, @Nullable String reason) {
        public AvailabilityRequest {
            availability = InvalidValue.text("availability", availability, NAME_CHARS_MAX);
        }
    }

    public record AvailabilityView(String workflow, String availability) {}
}
