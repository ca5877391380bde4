package dev.weir.simulator;

import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.shard.Shard;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client's request, which is sent again until a node answers it. */
final class ClientCall<A> {
    private final SimulatedCluster cluster;
    private final Function<Shard, CompletableFuture<A>> action;
    private final Consumer<A> onAnswer;
    private Consumer<CommandFailed> failureHandler = failure -> {
        throw failure;
    };
    private String pollId = "";
    private Set<String> modules = Set.of();
    private @Nullable SimulatedNode currentNode;
    private @Nullable CompletableFuture<A> pendingAnswer;
    private boolean finished;

    ClientCall(SimulatedCluster cluster, Function<Shard, CompletableFuture<A>> action, Consumer<A> onAnswer) {
        this.cluster = cluster;
        this.action = action;
        this.onAnswer = onAnswer;
    }

    void markAsPoll(String id, Set<String> served) {
        pollId = id;
        modules = served;
    }

    /** Sets the action for a request that fails for good. */
    ClientCall<A> onFailure(Consumer<CommandFailed> action) {
        failureHandler = action;
        return this;
    }

    void send() {
        SimulatedNode node = cluster.pickNode();
        if (finished) {
            return;
        }
        if (node == null) {
            retryLater();
            return;
        }
        currentNode = node;
        node.add(this);
        if (!pollId.isEmpty()) {
            cluster.world.note(new Fact.PollOpened(pollId, modules, cluster.world.now()));
        }
        CompletableFuture<A> future = action.apply(node.shard);
        pendingAnswer = future;
        CompletableFuture<A> unused = future.whenComplete((answer, failure) -> {
            try {
                handleAnswer(node, answer, failure);
            } catch (RuntimeException e) {
                cluster.world.recordFailure(e);
            }
        });
    }

    private void handleAnswer(SimulatedNode from, @Nullable A answer, @Nullable Throwable failure) {
        if (finished || from.isDown() || !from.equals(currentNode)) {
            return;
        }
        detach();
        if (failure == null && answer != null) {
            finished = true;
            onAnswer.accept(answer);
            return;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof Unavailable) {
            retryLater();
        } else if (cause instanceof CommandFailed known) {
            finished = true;
            failureHandler.accept(known);
        } else {
            throw new IllegalStateException("expected an answer, found " + failure, failure);
        }
    }

    private void detach() {
        if (currentNode != null) {
            currentNode.remove(this);
            currentNode = null;
            if (!pollId.isEmpty()) {
                cluster.world.note(new Fact.PollEnded(pollId, cluster.world.now()));
            }
        }
    }

    /** Sends the request again later, because the node has died. */
    void retryAfterNodeDeath() {
        detach();
        retryLater();
    }

    private void retryLater() {
        cluster.world.schedule(cluster.world.randomBetween(10_000, SimulatedWorld.SECOND), this::send);
    }

    /** Ends the request because the client is gone. The node notices that only when its future is cancelled. */
    void cancel() {
        finished = true;
        detach();
        if (pendingAnswer != null) {
            pendingAnswer.cancel(false);
        }
    }
}
