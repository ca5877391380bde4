package dev.weir.engine.shard;

import dev.weir.core.life.BuiltIn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is done once a batch is written: whoever asked is told, whoever could go on is woken. */
final class Telling {
    private final Site site;
    private final Mailbox mailbox;
    private final Holdings holdings;
    private final Troubles troubles;
    private final Inbox inbox;

    Telling(Site site, Mailbox mailbox, Holdings holdings, Troubles troubles, Inbox inbox) {
        this.site = site;
        this.mailbox = mailbox;
        this.holdings = holdings;
        this.troubles = troubles;
        this.inbox = inbox;
    }

    /** The decisions are committed: whoever waits for them is told. */
    void all(Batch batch) {
        List<Runnable> told = new ArrayList<>();
        List<Message<?>> askHistory = new ArrayList<>();
        Map<Count, Long> counts = new LinkedHashMap<>();
        for (Turn turn : batch.turns.values()) {
            turn.committed();
            told.addAll(turn.tell());
            if (turn.resident().equals(holdings.find(turn.org))) {
                holdings.dueAt(turn.org, turn.organisation().nextWakeup());
            }
            troubles.wentWell(turn.org, site.tick());
            if (turn.organisation().couldStart(BuiltIn.CALL)) {
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
