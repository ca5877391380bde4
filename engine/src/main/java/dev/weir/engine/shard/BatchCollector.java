package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import java.time.Duration;

/** Collects the next batch of a shard: messages, organisations that are due, and polls whose waiting time is over. */
final class BatchCollector {
    /** The time in microseconds after which an organisation that is due asks again to be loaded. */
    private static final long LOAD_RETRY_DELAY = 50_000;

    private final Mailbox mailbox;
    private final ShardState state;
    private final Quarantine quarantine;
    private final FailureHandler failures;

    BatchCollector(Mailbox mailbox, ShardState state, Quarantine quarantine, FailureHandler failures) {
        this.mailbox = mailbox;
        this.state = state;
        this.quarantine = quarantine;
        this.failures = failures;
    }

    ShardBatch gather(long monotonicNow) {
        state.recordTake(monotonicNow);
        failOverdueLoads(monotonicNow);
        var batch = new ShardBatch(state.polls());
        for (Message<?> message : mailbox.take(quarantine::messagesMax)) {
            if (quarantine.isQuarantined(message.org, monotonicNow)) {
                failures.rejectQuarantined(message, monotonicNow);
            } else {
                batch.orgBatch(message.org).messages.add(message);
            }
        }
        quarantine.requiredOrgs().forEach(batch::orgBatch);
        addDue(batch, monotonicNow);
        addExpiredPolls(batch, monotonicNow);
        for (OrganisationBatch orgBatch : batch.orgBatches.values()) {
            if (state.mayReuseIds(orgBatch.org, monotonicNow)) {
                orgBatch.requestHistory(state.find(orgBatch.org));
            }
        }
        return batch;
    }

    private void addDue(ShardBatch batch, long monotonicNow) {
        int loads = 0;
        for (String org : state.dueOrgs(monotonicNow)) {
            if (quarantine.isQuarantined(org, monotonicNow)) {
                state.setDue(org, state.estimateNow(monotonicNow) + quarantine.remaining(org, monotonicNow));
            } else if (state.loads().isLoading(org)) {
                state.setDue(org, Moment.NEVER);
            } else if (quarantine.canJoinBatch(org)) {
                if (state.find(org) != null || (!state.loads().isFull() && loads++ < OrganisationLoads.DUE_LOADS_MAX)) {
                    batch.orgBatch(org);
                } else if (state.loads().isFull()) {
                    state.setDue(org, state.estimateNow(monotonicNow) + LOAD_RETRY_DELAY);
                }
            }
        }
    }

    private void addExpiredPolls(ShardBatch batch, long monotonicNow) {
        for (ClaimMessage message : state.polls().expired(monotonicNow)) {
            if (quarantine.isQuarantined(message.org, monotonicNow)) {
                state.polls().remove(message);
                failures.rejectQuarantined(message, monotonicNow);
            } else if (state.loads().isLoading(message.org)) {
                state.polls().remove(message);
                failLoading(message);
            } else if (quarantine.canJoinBatch(message.org)) {
                batch.orgBatch(message.org).expiredPolls.add(message);
            }
        }
    }

    /** Answers callers that have waited too long for the load of their organisation. */
    private void failOverdueLoads(long monotonicNow) {
        if (state.loads().isBusy()) {
            mailbox.takeOlderAside(monotonicNow - Shard.REQUEST_TIMEOUT).forEach(BatchCollector::failLoading);
        }
    }

    private static void failLoading(Message<?> message) {
        message.failUnavailable(
                "organisation " + message.org + " is large and is being read into memory", Duration.ofSeconds(1));
    }
}
