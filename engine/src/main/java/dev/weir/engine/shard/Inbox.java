package dev.weir.engine.shard;

import dev.weir.core.life.Move;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.InboxStart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts that programs have left in their own transactions. They are taken out by the transaction that carries them out,
 * or that keeps why it could not: nobody waits to be told. What fails is tried again alone, in a pass of its own.
 */
final class Inbox {
    /** Starts that are taken in one pass. */
    static final int TAKEN_MAX = 500;
    /** Starts that are known to fail, at the most; what is forgotten fails once more. */
    private static final int FAILING_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

    private final Site site;
    private final Troubles troubles;
    private final Map<InboxStart, String> failing = new HashMap<>();
    private int most = TAKEN_MAX;

    Inbox(Site site, Troubles troubles) {
        this.site = site;
        this.troubles = troubles;
    }

    /** Whether a pass may take starts beside what else it has to do: nothing has failed lately. */
    boolean mayJoin() {
        return most == TAKEN_MAX;
    }

    /** Something failed in a pass that would have taken starts, and nothing was: they are tried one by one. */
    void doubt() {
        most = 1;
    }

    /** A start is the culprit: when it is taken next, that is kept of it and nothing else. */
    void fails(InboxStart start, Throwable why) {
        if (failing.size() >= FAILING_MAX) {
            failing.clear();
        }
        failing.put(start, "it failed, and nothing of it was done: " + why);
    }

    /** Takes starts, each as a message in the turn of its organisation. */
    int take(Entry entry, Batch batch) {
        List<InboxStart> starts = entry.takeInbox(most, troubles.leftAlone(site.tick()));
        for (InboxStart start : starts) {
            batch.turn(start.org()).messages.add(StartMessage.from(start, failing.get(start), site.tick()));
        }
        site.counters().add(Count.INBOX_STARTS, starts.size());
        return starts.size();
    }

    /** What was taken is committed. Tells whether there may be more. */
    boolean wentWell(int taken) {
        boolean more = taken >= most;
        most = Math.min(TAKEN_MAX, most * 2);
        return more;
    }

    /** A start was carried out, or that it could not be is kept. */
    void settled(InboxStart start, Move.@Nullable StartRefused refused) {
        failing.remove(start);
        if (refused != null) {
            site.counters()
                    .failed(Count.INBOX_REFUSED, "run " + refused.run() + " from the inbox: " + refused.message());
            LOG.warn(
                    "run {} of organisation {}, left in the inbox by {}, cannot start: {}",
                    refused.run(),
                    start.org(),
                    refused.by(),
                    refused.message());
        }
    }

    /** Something of an organisation failed in a pass that would have taken its starts out of the inbox. */
    static final class InDoubt extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
