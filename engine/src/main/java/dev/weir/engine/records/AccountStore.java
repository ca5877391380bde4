package dev.weir.engine.records;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.ExecutionCounts;

/** The port to what is stored about an organisation as a whole: its totals, its quota, and its readers. */
public interface AccountStore {
    /** The totals of all time. */
    ExecutionCounts counts(String org);

    /** The quota of the present period, and what was used of it. */
    QuotaRecord quota(String org);

    /** Sets the quota. The change is recorded in the audit of the administration. */
    QuotaRecord changeQuota(String org, QuotaChange change, Attribution by);

    /**
     * Creates the database login that reads the limits and counters of one organisation, or gives it a new password.
     * The change is recorded in the audit of the administration. Throws {@link LoginRefused} if the store cannot create
     * logins.
     */
    ReaderLogin createReader(String org, Attribution by);

    /** The store cannot create a login. The message says what its operator can do. */
    final class LoginRefused extends RuntimeException {
        private static final long serialVersionUID = 1;

        public LoginRefused(String message) {
            super(message);
        }
    }
}
