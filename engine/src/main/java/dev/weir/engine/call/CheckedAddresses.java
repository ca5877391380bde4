package dev.weir.engine.call;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks the address of a host up, once for each connection, and lets only those through that may be called. Look-ups
 * have threads of their own: the system's resolver cannot be interrupted, and would hold up all that is virtual.
 */
final class CheckedAddresses implements DnsResolver, AutoCloseable {
    /** Look-ups under way at once. */
    private static final int LOOK_UPS_MAX = 64;

    private final Reach reach;
    private final Duration most;
    private final ExecutorService threads;

    CheckedAddresses(Reach reach, Duration most) {
        this.reach = reach;
        this.most = most;
        this.threads = new ThreadPoolExecutor(
                0,
                LOOK_UPS_MAX,
                1,
                TimeUnit.MINUTES,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("weir-addresses-", 0).factory());
    }

    /** Nobody has said in time what the address is. */
    static final class Unanswered extends UnknownHostException {
        private static final long serialVersionUID = 1;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        throw new UnknownHostException("expected a look-up that knows the port");
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        InetAddress[] found = Host.isAddress(bare) ? InetAddress.getAllByName(bare) : lookUp(bare);
        for (InetAddress address : found) {
            // One bad address spoils all: a name that has both is made to be looked up until the bad one comes.
            byte[] bytes = Host.isIpv6(bare) ? Network.bytes(bare) : address.getAddress();
            reach.refusal(bare, port, bytes).ifPresent(reason -> {
                throw new CallRefused(
                        "the address of " + bare + " may not be called: " + reason + "; an operator can allow it");
            });
        }
        return Arrays.stream(found)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        try {
            Future<InetAddress[]> found = threads.submit(() -> InetAddress.getAllByName(host));
            return found.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnknownHostException(host);
        } catch (TimeoutException | RejectedExecutionException e) {
            throw new Unanswered();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unanswered();
        }
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
