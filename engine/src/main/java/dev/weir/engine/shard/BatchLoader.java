package dev.weir.engine.shard;

import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadUnfinished;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the organisations of a batch into memory. Those that are not there leave the batch, and their messages wait
 * aside until the load has ended.
 */
final class BatchLoader {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoader.class);

    private final Mailbox mailbox;
    private final ShardState state;
    private final FailureHandler failures;

    BatchLoader(Mailbox mailbox, ShardState state, FailureHandler failures) {
        this.mailbox = mailbox;
        this.state = state;
        this.failures = failures;
    }

    /** Begins the loads that a batch needs, and removes the organisations whose loads have not ended yet. */
    void loadMissing(ShardBatch batch) {
        List<OrganisationBatch> missing = batch.orgBatches.values().stream()
                .filter(orgBatch -> state.find(orgBatch.org) == null)
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        missing.forEach(orgBatch -> begin(orgBatch.org));
        settle();
        for (OrganisationBatch orgBatch : missing) {
            if (state.find(orgBatch.org) == null) {
                batch.orgBatches.remove(orgBatch.org);
                failures.postpone(orgBatch);
            }
            if (state.loads().isLoading(orgBatch.org)) {
                mailbox.setAside(orgBatch.org);
            }
        }
    }

    /**
     * True if a batch contains starts from the inbox for organisations that are not in memory. Removes all starts of
     * the inbox then, so that the batch can be put together again.
     */
    boolean isAnyMissing(ShardBatch batch) {
        if (batch.orgBatches.values().stream().allMatch(orgBatch -> state.find(orgBatch.org) != null)) {
            return false;
        }
        batch.orgBatches.values().forEach(orgBatch -> orgBatch.messages.removeIf(BatchLoader::isFromInbox));
        return true;
    }

    private static boolean isFromInbox(Message<?> message) {
        return message instanceof StartMessage start && start.inboxStart != null;
    }

    private void begin(String org) {
        if (!state.loads().isLoading(org)) {
            state.beginLoad(org);
        }
    }

    /**
     * Takes over the loads that have ended. No commit may be in flight. Returns true if there were any, because the
     * inbox may contain starts of these organisations.
     *
     * @throws JournalFailure if the store failed; the ownership is over then
     */
    boolean settle() {
        List<OrganisationLoads.Load> ended = state.loads().takeEnded();
        ended.forEach(load -> state.setDue(load.org, Long.MIN_VALUE));
        for (OrganisationLoads.Load load : ended) {
            LoadedOrganisation result = load.result();
            if (result != null) {
                state.install(load.org, result);
            } else if (load.failure() instanceof LoadUnfinished why) {
                LOG.info(
                        "Organisation {} is large; Weir reads it while it serves others: {}",
                        load.org,
                        why.getMessage());
            } else if (load.failure() instanceof JournalFailure failure
                    && !(failure instanceof JournalFailure.TooSlow)) {
                throw failure;
            } else if (load.failure() instanceof Error error && !(error instanceof VirtualMachineError)) {
                throw error;
            } else {
                failures.quarantineUnreadable(
                        new OrganisationBatch(load.org, state.polls()), Objects.requireNonNull(load.failure()));
            }
        }
        return !ended.isEmpty();
    }
}
