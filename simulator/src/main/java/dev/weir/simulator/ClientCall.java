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
    private final Function<Shard, CompletableFuture<A>> how;
    private final Consumer<A> then;
    private Consumer<CommandFailed> failed = failure -> {
        throw failure;
    };
    private String request = "";
    private Set<String> modules = Set.of();
    private @Nullable SimulatedNode at;
    private @Nullable CompletableFuture<A> answer;
    private boolean over;

    ClientCall(SimulatedCluster cluster, Function<Shard, CompletableFuture<A>> how, Consumer<A> then) {
        this.cluster = cluster;
        this.how = how;
        this.then = then;
    }

    void asPoll(String id, Set<String> served) {
        request = id;
        modules = served;
    }

    /** Sets the action for a request that fails for good. */
    ClientCall<A> orFailed(Consumer<CommandFailed> action) {
        failed = action;
        return this;
    }

    void send() {
        SimulatedNode machine = cluster.choose();
        if (over) {
            return;
        }
        if (machine == null) {
            again();
            return;
        }
        at = machine;
        machine.add(this);
        if (!request.isEmpty()) {
            cluster.world.note(new Fact.PollOpened(request, modules, cluster.world.now()));
        }
        CompletableFuture<A> asked = how.apply(machine.shard);
        answer = asked;
        CompletableFuture<A> unused = asked.whenComplete((told, failure) -> {
            try {
                heard(machine, told, failure);
            } catch (RuntimeException e) {
                cluster.world.breaks(e);
            }
        });
    }

    private void heard(SimulatedNode from, @Nullable A told, @Nullable Throwable failure) {
        if (over || from.down() || !from.equals(at)) {
            return;
        }
        left();
        if (failure == null && told != null) {
            over = true;
            then.accept(told);
            return;
        }
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof Unavailable) {
            again();
        } else if (cause instanceof CommandFailed known) {
            over = true;
            failed.accept(known);
        } else {
            throw new IllegalStateException("expected an answer, found " + failure, failure);
        }
    }

    private void left() {
        if (at != null) {
            at.remove(this);
            at = null;
            if (!request.isEmpty()) {
                cluster.world.note(new Fact.PollEnded(request, cluster.world.now()));
            }
        }
    }

    /** Sends the request again later, because the node has died. */
    void broken() {
        left();
        again();
    }

    private void again() {
        cluster.world.later(cluster.world.between(10_000, SimulatedWorld.SECOND), this::send);
    }

    /** Ends the request because the client is gone. The node notices that only when its future is cancelled. */
    void cancel() {
        over = true;
        left();
        if (answer != null) {
            answer.cancel(false);
        }
    }
}
