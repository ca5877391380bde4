package dev.weir.engine.live;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One reader of an organisation's changes. Only one thread may read; any thread may close it. */
public final class Subscription implements AutoCloseable {
    final ChangeFilter filter;
    private final OrganisationFeed feed;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable ChangeBatch begin;

    /** The position of the reader, guarded by the feed's lock. */
    long position;

    String generation = "";

    @Nullable
    String endReason;

    Subscription(OrganisationFeed feed, ChangeFilter filter, Runnable onClose, @Nullable ChangeBatch begin) {
        this.feed = feed;
        this.filter = filter;
        this.onClose = onClose;
        this.begin = begin;
    }

    /** Waits for changes, at most that long. The first call of a reader that does not resume returns at once. */
    public ChangeBatch next(Duration timeout) throws InterruptedException {
        ChangeBatch first = begin;
        if (first != null) {
            begin = null;
            return first;
        }
        return feed.next(this, timeout);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            feed.remove(this);
            onClose.run();
        }
    }
}
