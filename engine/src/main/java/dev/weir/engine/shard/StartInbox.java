package dev.weir.engine.shard;

import dev.weir.core.state.DeadLetter;
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
    static final int TAKE_MAX = 500;
    /** The number of starts that are remembered as failing. A forgotten one fails once more. */
    private static final int FAILING_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StartInbox.class);

    private final ShardContext context;
    private final Quarantine quarantine;
    private final Map<InboxStart, String> failing = new HashMap<>();
    private int takeMax = TAKE_MAX;

    StartInbox(ShardContext context, Quarantine quarantine) {
        this.context = context;
        this.quarantine = quarantine;
    }

    /** True if a pass may take starts besides its other work, because none failed recently. */
    boolean canShareBatch() {
        return takeMax == TAKE_MAX;
    }

    /** Records that a pass with starts failed and took none. From now on they are taken one by one. */
    void takeOneByOne() {
        takeMax = 1;
    }

    /** Records that a start is the culprit. The next pass that takes it stores only the refusal. */
    void recordFailing(InboxStart start, Throwable cause) {
        if (failing.size() >= FAILING_MAX) {
            failing.clear();
        }
        failing.put(start, "the start failed and changed nothing: " + cause);
    }

    /** Takes starts and adds each as a message to the batch of its organisation. */
    int take(Transaction transaction, ShardBatch batch) {
        List<InboxStart> starts = transaction.takeInbox(takeMax, quarantine.excludedFromInbox(context.monotonicNow()));
        for (InboxStart start : starts) {
            batch.orgBatch(start.org())
                    .messages
                    .add(StartMessage.from(start, failing.get(start), context.monotonicNow()));
        }
        context.counters().add(CounterName.INBOX_STARTS, starts.size());
        return starts.size();
    }

    /** Records that the taken starts are committed. Returns true if there may be more. */
    boolean recordCommit(int taken) {
        boolean more = taken >= takeMax;
        takeMax = Math.min(TAKE_MAX, takeMax * 2);
        return more;
    }

    /** Records that a start was carried out, or that its refusal was stored. */
    void recordSettled(InboxStart start, @Nullable DeadLetter refused) {
        failing.remove(start);
        if (refused != null) {
            context.counters()
                    .recordFailure(
                            CounterName.INBOX_REFUSED,
                            "run " + refused.content().subject() + " from the inbox: "
                                    + refused.content().text());
            LOG.warn(
                    "Run {} of organisation {}, which {} inserted into the inbox, cannot start: {}",
                    refused.content().subject(),
                    start.org(),
                    refused.content().by(),
                    refused.content().text());
        }
    }

    /** Thrown if an organisation failed in a pass that would have removed its starts from the inbox. */
    static final class InboxPassFailed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
