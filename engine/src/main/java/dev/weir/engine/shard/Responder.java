package dev.weir.engine.shard;

import dev.weir.core.plan.BuiltInModule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Completes the callers' futures after a commit, and signals organisations that have calls to make. */
final class Responder {
    private final ShardContext site;
    private final Mailbox mailbox;
    private final ShardState holdings;
    private final Quarantine troubles;
    private final StartInbox inbox;

    Responder(ShardContext site, Mailbox mailbox, ShardState holdings, Quarantine troubles, StartInbox inbox) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.troubles = troubles;
        this.inbox = inbox;
    }

    /** Sends all responses of a committed batch. */
    void all(ShardBatch batch) {
        List<Runnable> told = new ArrayList<>();
        List<Message<?>> askHistory = new ArrayList<>();
        Map<CounterName, Long> counts = new LinkedHashMap<>();
        for (OrganisationBatch turn : batch.turns.values()) {
            turn.committed();
            told.addAll(turn.tell());
            if (turn.resident().equals(holdings.find(turn.org))) {
                holdings.dueAt(turn.org, turn.organisation().nextWakeup());
            }
            troubles.wentWell(turn.org, site.tick());
            if (turn.organisation().couldStart(BuiltInModule.CALL)) {
                site.calls().accept(turn.org);
            }
            for (Message<?> message : turn.messages) {
                if (message.asksHistoryOf != null) {
                    askHistory.add(message);
                } else if (message instanceof StartMessage start && start.left != null) {
                    inbox.settled(start.left, start.refused());
                }
            }
            turn.count(counts);
        }
        mailbox.putBack(askHistory);
        counts.forEach(site.counters()::add);
        if (!told.isEmpty()) {
            site.answers().execute(() -> told.forEach(Runnable::run));
        }
    }
}
