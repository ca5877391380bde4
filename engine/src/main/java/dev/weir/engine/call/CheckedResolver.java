package dev.weir.engine.call;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks up the address of a host once per connection, and accepts only addresses that may be called. Look-ups run on
 * their own platform threads, because the system's resolver cannot be interrupted and would block the carriers of
 * virtual threads. An organisation may use as many look-ups as are still free, so that its unanswered names leave some
 * to all others.
 */
final class CheckedResolver implements DnsResolver, AutoCloseable {
    /** The number of look-ups that may be in progress at once. */
    static final int LOOK_UPS_MAX = 64;

    private final EgressPolicy reach;
    private final Duration most;
    private final Names names;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("weir-addresses-", 0).factory());
    /** The organisation of the current call. The thread of a call makes its look-ups. */
    private final ThreadLocal<String> caller = ThreadLocal.withInitial(() -> "");

    private final Map<String, Integer> underWay = new HashMap<>();
    private int free = LOOK_UPS_MAX;

    /** Finds the addresses of hosts. It may take long. */
    @FunctionalInterface
    interface Names {
        InetAddress[] lookUp(String host) throws UnknownHostException, InterruptedException;
    }

    /** A call to make. */
    @FunctionalInterface
    interface Call<T> {
        T make() throws IOException;
    }

    CheckedResolver(EgressPolicy reach, Duration most, Names names) {
        this.reach = reach;
        this.most = most;
        this.names = names;
    }

    /** Makes a call whose look-ups count as those of the organisation. */
    <T> T calling(String org, Call<T> call) throws IOException {
        caller.set(org);
        try {
            return call.make();
        } finally {
            caller.remove();
        }
    }

    /** Thrown if no resolver answered in time. */
    static final class Unanswered extends UnknownHostException {
        private static final long serialVersionUID = 1;
    }

    /** Thrown if too many look-ups are in progress, so that none was made. This is no failure of the call. */
    static final class Crowded extends UnknownHostException {
        private static final long serialVersionUID = 1;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        throw new UnknownHostException("expected a lookup with a port, found none");
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        InetAddress[] found = UrlHost.isAddress(bare) ? InetAddress.getAllByName(bare) : lookUp(bare);
        for (InetAddress address : found) {
            // One forbidden address refuses the host. A name with both kinds exists to be looked up until the forbidden
            // one comes.
            byte[] bytes = UrlHost.isIpv6(bare) ? AddressRange.bytes(bare) : address.getAddress();
            reach.refusal(bare, port, bytes).ifPresent(reason -> {
                throw new CallRefused("calls to " + bare + " are not allowed: " + reason
                        + "; an operator can allow the host with weir up --allow-call");
            });
        }
        return Arrays.stream(found)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        String org = caller.get();
        if (!take(org)) {
            throw new Crowded();
        }
        try {
            return begun(org, host).get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnknownHostException(host);
        } catch (TimeoutException e) {
            throw new Unanswered();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unanswered();
        }
    }

    /**
     * Starts a look-up in a place that was taken. It keeps the place until it ends, even if the caller has stopped
     * waiting.
     */
    private Future<InetAddress[]> begun(String org, String host) throws Unanswered {
        try {
            return threads.submit(() -> {
                try {
                    return names.lookUp(host);
                } finally {
                    giveBack(org);
                }
            });
        } catch (RejectedExecutionException e) {
            // The resolver has closed in between.
            giveBack(org);
            throw new Unanswered();
        }
    }

    private synchronized boolean take(String org) {
        int holds = underWay.getOrDefault(org, 0);
        if (holds >= free) {
            return false;
        }
        free--;
        underWay.put(org, holds + 1);
        return true;
    }

    private synchronized void giveBack(String org) {
        free++;
        underWay.computeIfPresent(org, (ignored, holds) -> holds == 1 ? null : (Integer) (holds - 1));
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
