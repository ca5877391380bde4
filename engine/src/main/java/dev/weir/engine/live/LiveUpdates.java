package dev.weir.engine.live;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Move;
import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.CommitListener;
import dev.weir.engine.shard.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes committed changes to the readers of a node, and samples its keys. Nothing is kept for an organisation without
 * readers, except the counts of its keys.
 */
public final class LiveUpdates implements CommitListener, Activity, AutoCloseable {
    /** The number of readers of one node. */
    public static final int READERS_MAX = 2_000;
    /** The memory for the changes of one organisation, in bytes. */
    static final long ORGANISATION_BYTES_MAX = 8L << 20;
    /** The memory for the changes of all organisations of a node, in bytes. */
    static final long NODE_BYTES_MAX = 64L << 20;

    /** The shortest time between two deliveries, so that readers are not woken for every commit. */
    private static final Duration DELIVERY_INTERVAL = Duration.ofMillis(10);
    /** The longest time between two looks at feeds without readers. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(LiveUpdates.class);

    private final KeyReader keyReader;
    private final KeySampler sampler;
    private final Map<String, OrganisationFeed> feeds = new ConcurrentHashMap<>();
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicBoolean delivering = new AtomicBoolean();
    private final Loop deliveryLoop;
    private final Loop sampleLoop;
    private volatile boolean closed;

    /** Creates the live updates of a node. Nothing happens before {@link #start}. */
    public LiveUpdates(KeyReader keyReader) {
        this.keyReader = keyReader;
        this.sampler = new KeySampler(keyReader, KeySampler.BYTES_MAX);
        this.deliveryLoop = new Loop("weir changes", this::deliver);
        this.sampleLoop = new Loop("weir key history", this::sample);
    }

    public void start() {
        deliveryLoop.start();
        sampleLoop.start();
    }

    /**
     * Opens a subscription.
     *
     * @param shard the organisation's shard, which this node owns
     * @param lastId the id of the last change that the reader has seen; absent = it begins now
     */
    public Subscription subscribe(int shard, String org, ChangeFilter filter, @Nullable String lastId) {
        if (closed) {
            throw new Unavailable("this node is shutting down", RETRY_AFTER);
        }
        if (readers.incrementAndGet() > READERS_MAX) {
            readers.decrementAndGet();
            throw new Unavailable("this node already has " + READERS_MAX + " readers of live updates", RETRY_AFTER);
        }
        List<Subscription> added = new ArrayList<>(1);
        feeds.compute(org, (name, existing) -> {
            OrganisationFeed feed = existing == null ? newFeed(shard, name) : existing;
            Subscription reader = feed.add(filter, lastId, readers::decrementAndGet);
            if (reader != null) {
                added.add(reader);
            }
            return feed;
        });
        if (added.isEmpty()) {
            readers.decrementAndGet();
            throw new TooManyReads(
                    "the organisation already has " + OrganisationFeed.READERS_MAX + " readers of live updates",
                    RETRY_AFTER);
        }
        if (closed) {
            endAll();
        }
        requestDelivery();
        return added.getFirst();
    }

    private OrganisationFeed newFeed(int shard, String org) {
        long nanos = System.nanoTime();
        return new OrganisationFeed(shard, new KeyLevels(org, keyReader, this::requestDelivery, nanos), nanos);
    }

    @Override
    public Optional<KeyHistory> history(String org, String key) {
        return sampler.find(org, key)
                .map(samples -> new KeyHistory(
                        key,
                        KeySampler.INTERVAL,
                        samples.stream()
                                .map(sample -> new KeyHistory.KeySample(
                                        sample.slot() * Moment.micros(KeySampler.INTERVAL),
                                        sample.waiting(),
                                        sample.used(),
                                        sample.started()))
                                .toList()));
    }

    @Override
    public Optional<KeyTrend> trend(String org, String key, Duration pace) {
        return sampler.trend(org, key, pace);
    }

    @Override
    public double startsPerSecond(String org) {
        return (double) sampler.latestStarts(org) / KeySampler.INTERVAL.toSeconds();
    }

    /** The number of open subscriptions. */
    public int readers() {
        return readers.get();
    }

    @Override
    public void onCommit(int shard, String org, List<Move> moves) {
        try {
            sampler.record(shard, org, moves);
            OrganisationFeed feed = feeds.get(org);
            if (feed != null) {
                feed.offer(moves);
                requestDelivery();
            }
        } catch (RuntimeException e) {
            // A failure here must not keep callers from their answers.
            LOG.error("Live updates of organisation {} failed; its readers are reset", org, e);
            onUnknownChanges(org);
        }
    }

    @Override
    public void onUnknownChanges(String org) {
        OrganisationFeed feed = feeds.get(org);
        if (feed != null) {
            feed.reset("the organisation was loaded again");
            requestDelivery();
        }
    }

    @Override
    public void onTakeover(int shard) {
        reset(shard, "this node has taken over the organisation");
    }

    @Override
    public void onClose(int shard) {
        reset(shard, "this node no longer serves the organisation");
        sampler.forgetLevels(shard);
        feeds.values().stream()
                .filter(feed -> feed.shard == shard)
                .forEach(feed -> feed.end("this node no longer serves the organisation"));
    }

    private void reset(int shard, String reason) {
        feeds.values().stream().filter(feed -> feed.shard == shard).forEach(feed -> feed.reset(reason));
        requestDelivery();
    }

    private void requestDelivery() {
        if (!delivering.getAndSet(true)) {
            deliveryLoop.wake();
        }
    }

    /** Moves queued changes to the readers. Returns the time until the next delivery, in microseconds. */
    private long deliver() {
        delivering.set(false);
        long nanos = System.nanoTime();
        long used = feeds.values().stream().mapToLong(OrganisationFeed::bytes).sum();
        long bytesMax = used < NODE_BYTES_MAX - ORGANISATION_BYTES_MAX
                ? ORGANISATION_BYTES_MAX
                : Math.min(ORGANISATION_BYTES_MAX, NODE_BYTES_MAX / Math.max(1, feeds.size()));
        long next = feeds.isEmpty() ? Long.MAX_VALUE : CHECK_INTERVAL.toNanos();
        boolean delivered = false;
        for (Map.Entry<String, OrganisationFeed> each : feeds.entrySet()) {
            delivered |= each.getValue().drain(nanos, bytesMax);
            next = Math.min(next, each.getValue().readLevels(nanos));
            if (each.getValue().isExpired(nanos)) {
                feeds.computeIfPresent(each.getKey(), (org, feed) -> feed.isExpired(nanos) ? null : feed);
            }
        }
        if (delivered) {
            LockSupport.parkNanos(DELIVERY_INTERVAL.toNanos());
        }
        return next == Long.MAX_VALUE ? Moment.NEVER : TimeUnit.NANOSECONDS.toMicros(next) + 1;
    }

    private long sample() {
        long millis = System.currentTimeMillis();
        long slot = KeySampler.slotOf(millis);
        try {
            sampler.sample(slot - 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long nextAt = (slot + 1) * KeySampler.INTERVAL.toMillis();
        return TimeUnit.MILLISECONDS.toMicros(Math.max(1, nextAt - System.currentTimeMillis()));
    }

    private void endAll() {
        feeds.values().forEach(feed -> feed.end("this node is shutting down"));
    }

    /** Ends all subscriptions. */
    @Override
    public void close() {
        closed = true;
        endAll();
        deliveryLoop.close();
        sampleLoop.close();
    }
}
