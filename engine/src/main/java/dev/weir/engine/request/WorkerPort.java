package dev.weir.engine.request;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The part of a node that workers in this process use: they claim work, renew their claims and report. Every answer
 * arrives after its changes are committed.
 */
public interface WorkerPort {
    /** The longest wait of a poll. */
    Duration WAIT_MAX = Duration.ofSeconds(20);

    /** Sends a command to an organisation. In a report, the values of secrets that the step received are replaced. */
    <A> CompletableFuture<A> send(String org, Command<A> command);

    /**
     * Requests work and waits for it. The same request id again returns the same claims.
     *
     * @param wait longest time to wait, at most 20 s
     * @return the claims; empty if nothing could start in that time
     */
    CompletableFuture<List<Assignment>> claim(String org, ClaimWork request, Duration wait);
}
