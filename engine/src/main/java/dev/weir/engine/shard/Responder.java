package dev.weir.engine.shard;

import dev.weir.core.plan.BuiltInModule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Completes the callers' futures after a commit, reports the changes, and signals organisations
 * that have calls to make. */
final class Responder {
    private final ShardContext context;
    private final Mailbox mailbox;
    private final ShardState state;
    private final Quarantine quarantine;
    private final StartInbox inbox;

    Responder(ShardContext context, Mailbox mailbox, ShardState state, Quarantine quarantine, StartInbox inbox) {
        this.context = context;
        this.mailbox = mailbox;
        this.state = state;
        this.quarantine = quarantine;
        this.inbox = inbox;
    }

    /** Sends all responses of a committed batch. */
    void respond(ShardBatch batch) {
        List<Runnable> responses = new ArrayList<>();
        List<Message<?>> awaitingHistory = new ArrayList<>();
        Map<CounterName, Long> counts = new LinkedHashMap<>();
        for (OrganisationBatch orgBatch : batch.orgBatches.values()) {
            orgBatch.recordCommit();
            if (!orgBatch.moves.isEmpty()) {
                context.commitListener().onCommit(state.number(), orgBatch.org, orgBatch.moves);
            }
            responses.addAll(orgBatch.prepareResponses());
            context.runWaiters()
                    .findEnded(orgBatch.org, orgBatch.moves)
                    .forEach(waiter -> responses.add(() -> waiter.complete(null)));
            if (orgBatch.loadedOrg().equals(state.find(orgBatch.org))) {
                state.setDue(orgBatch.org, orgBatch.organisation().nextWakeup());
            }
            quarantine.recordCommit(orgBatch.org, context.monotonicNow());
            if (orgBatch.organisation().hasWorkFor(BuiltInModule.CALL)) {
                context.callSignal().accept(orgBatch.org);
            }
            for (Message<?> message : orgBatch.messages) {
                if (message.runToLookUp != null) {
                    awaitingHistory.add(message);
                } else if (message instanceof StartMessage start && start.inboxStart != null) {
                    inbox.recordSettled(start.inboxStart, start.refused());
                }
            }
            orgBatch.addCounts(counts);
        }
        mailbox.putBack(awaitingHistory);
        counts.forEach(context.counters()::add);
        if (!responses.isEmpty()) {
            context.responseExecutor().execute(() -> responses.forEach(Runnable::run));
        }
    }
}
