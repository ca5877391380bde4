package dev.weir.engine.shard;

import dev.weir.core.state.Move;
import dev.weir.engine.journal.InboxStart;
import dev.weir.engine.journal.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes starts that programs left in their own transactions. The transaction that removes a start also carries it out,
 * or stores why it could not; no caller waits for an answer. After a failure, starts are retried one by one in a pass
 * of their own.
 */
final class StartInbox {
    /** The number of starts that one pass takes. */
    static final int TAKEN_MAX = 500;
    /** The number of starts that are remembered as failing. A forgotten one fails once more. */
    private static final int FAILING_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StartInbox.class);

    private final ShardContext site;
    private final Quarantine troubles;
    private final Map<InboxStart, String> failing = new HashMap<>();
    private int most = TAKEN_MAX;

    StartInbox(ShardContext site, Quarantine troubles) {
        this.site = site;
        this.troubles = troubles;
    }

    /** True if a pass may take starts besides its other work, because none failed recently. */
    boolean mayJoin() {
        return most == TAKEN_MAX;
    }

    /** Records that a pass with starts failed and took none. From now on they are taken one by one. */
    void doubt() {
        most = 1;
    }

    /** Records that a start is the culprit. The next pass that takes it stores only the refusal. */
    void fails(InboxStart start, Throwable why) {
        if (failing.size() >= FAILING_MAX) {
            failing.clear();
        }
        failing.put(start, "the start failed and changed nothing: " + why);
    }

    /** Takes starts and adds each as a message to the batch of its organisation. */
    int take(Transaction entry, ShardBatch batch) {
        List<InboxStart> starts = entry.takeInbox(most, troubles.leftAlone(site.tick()));
        for (InboxStart start : starts) {
            batch.turn(start.org()).messages.add(StartMessage.from(start, failing.get(start), site.tick()));
        }
        site.counters().add(CounterName.INBOX_STARTS, starts.size());
        return starts.size();
    }

    /** Records that the taken starts are committed. Returns true if there may be more. */
    boolean wentWell(int taken) {
        boolean more = taken >= most;
        most = Math.min(TAKEN_MAX, most * 2);
        return more;
    }

    /** Records that a start was carried out, or that its refusal was stored. */
    void settled(InboxStart start, Move.@Nullable StartRefused refused) {
        failing.remove(start);
        if (refused != null) {
            site.counters()
                    .failed(
                            CounterName.INBOX_REFUSED,
                            "run " + refused.run() + " from the inbox: " + refused.message());
            LOG.warn(
                    "Run {} of organisation {}, which {} inserted into the inbox, cannot start: {}",
                    refused.run(),
                    start.org(),
                    refused.by(),
                    refused.message());
        }
    }

    /** Thrown if an organisation failed in a pass that would have removed its starts from the inbox. */
    static final class InDoubt extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
