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
    static final int LOOKUPS_MAX = 64;

    private final EgressPolicy egressPolicy;
    private final Duration timeout;
    private final HostLookup hostLookup;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("weir-addresses-", 0).factory());
    /** The organisation of the current call. The thread of a call makes its look-ups. */
    private final ThreadLocal<String> callerOrg = ThreadLocal.withInitial(() -> "");

    private final Map<String, Integer> inProgress = new HashMap<>();
    private int free = LOOKUPS_MAX;

    /** Finds the addresses of hosts. It may take long. */
    @FunctionalInterface
    interface HostLookup {
        InetAddress[] lookUp(String host) throws UnknownHostException, InterruptedException;
    }

    /** A call to make. */
    @FunctionalInterface
    interface Lookup<T> {
        T make() throws IOException;
    }

    CheckedResolver(EgressPolicy egressPolicy, Duration timeout, HostLookup hostLookup) {
        this.egressPolicy = egressPolicy;
        this.timeout = timeout;
        this.hostLookup = hostLookup;
    }

    /** Makes a call whose look-ups count as those of the organisation. */
    <T> T callFor(String org, Lookup<T> call) throws IOException {
        callerOrg.set(org);
        try {
            return call.make();
        } finally {
            callerOrg.remove();
        }
    }

    /** Thrown if no resolver answered in time. */
    static final class LookupTimeout extends UnknownHostException {
        private static final long serialVersionUID = 1;
    }

    /** Thrown if too many look-ups are in progress, so that none was made. This is no failure of the call. */
    static final class TooManyLookups extends UnknownHostException {
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
            egressPolicy.refusal(bare, port, bytes).ifPresent(reason -> {
                throw new CallRefused("calls to " + bare + " are not allowed: " + reason
                        + "; an operator can allow the host with weir up --allow-call");
            });
        }
        return Arrays.stream(found)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        String org = callerOrg.get();
        if (!take(org)) {
            throw new TooManyLookups();
        }
        try {
            return startLookup(org, host).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnknownHostException(host);
        } catch (TimeoutException e) {
            throw new LookupTimeout();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LookupTimeout();
        }
    }

    /**
     * Starts a look-up in a place that was taken. It keeps the place until it ends, even if the caller has stopped
     * waiting.
     */
    private Future<InetAddress[]> startLookup(String org, String host) throws LookupTimeout {
        try {
            return threads.submit(() -> {
                try {
                    return hostLookup.lookUp(host);
                } finally {
                    release(org);
                }
            });
        } catch (RejectedExecutionException e) {
            // The resolver has closed in between.
            release(org);
            throw new LookupTimeout();
        }
    }

    private synchronized boolean take(String org) {
        int used = inProgress.getOrDefault(org, 0);
        if (used >= free) {
            return false;
        }
        free--;
        inProgress.put(org, used + 1);
        return true;
    }

    private synchronized void release(String org) {
        free++;
        inProgress.computeIfPresent(org, (ignored, used) -> used == 1 ? null : (Integer) (used - 1));
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
