package dev.weir.simulator;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.OrganisationRows;
import dev.weir.engine.shard.CounterName;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.Shard;
import dev.weir.testkit.journal.MemoryJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The nodes of a simulation, over one journal. A client picks a node, and asks again if it gets no answer. */
final class SimulatedCluster {
    static final String ORG = "acme";

    final SimulatedWorld world;
    final StoreFaults storeFaults;
    final MemoryJournal journal;
    final Counters counters = new Counters();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private int nodesOpened;

    SimulatedCluster(SimulatedWorld world) {
        this.world = world;
        this.storeFaults = new StoreFaults(this);
        this.journal = new MemoryJournal(world::now, storeFaults).with(ORG);
        open();
    }

    /** True if a batch was ever decided while the one before was being written. */
    boolean hasDecidedAhead() {
        return counters.of(CounterName.DECIDED_AHEAD) > 0;
    }

    /**
     * The number of times that a sweep found a limit's usage to differ from the live claims: 0, unless there is a bug.
     */
    long usageCorrections() {
        return counters.of(CounterName.USAGE_CORRECTIONS);
    }

    int shard() {
        return journal.shardOf(ORG);
    }

    /** Opens a new node. It takes the shard when it gets its first request. */
    SimulatedNode open() {
        nodesOpened++;
        var node = new SimulatedNode(this, "node" + nodesOpened);
        nodes.add(node);
        return node;
    }

    /** Steps the loop of every node that is up, most of the time. */
    void stepNodes() {
        for (SimulatedNode node : List.copyOf(nodes)) {
            node.stepIfWork();
        }
        nodes.removeIf(node -> node.isDown() || node.shard.isClosed());
    }

    boolean isDown() {
        return nodes.stream().allMatch(node -> node.isDown() || node.shard.isClosed());
    }

    /** Opens a node after a while if none is left. */
    void reopenLater() {
        world.schedule(world.randomBetween(10_000, 3 * SimulatedWorld.SECOND), () -> {
            if (isDown()) {
                open();
            }
        });
    }

    /** The owner of the shard, if it is the only node and nothing disturbs it; null otherwise. */
    @Nullable
    SimulatedNode soleOwner() {
        SimulatedNode only = nodes.size() == 1 ? nodes.getFirst() : null;
        return only == null || only.isBusy() || only.isDown() || !storeFaults.isOwner(only) ? null : only;
    }

    boolean isSettled() {
        SimulatedNode owner = soleOwner();
        if (owner == null || !owner.shard.isSettled()) {
            return false;
        }
        storeFaults.noteSettled();
        return owner.shard.find(ORG).filter(storeFaults::canCompare).isPresent();
    }

    /** The organisation in the owner's memory, or restored from the rows if there is no owner. */
    Organisation memory() {
        SimulatedNode owner = soleOwner();
        return (owner == null ? java.util.Optional.<Organisation>empty() : owner.shard.find(ORG))
                .orElseGet(() -> Organisation.restore(journal.rows(ORG, world.now()), world.now()));
    }

    /** Sends a client's request to a node, and to another one if that node cannot answer. */
    <A> void send(Function<Shard, CompletableFuture<A>> action, Consumer<A> onAnswer) {
        new ClientCall<>(this, action, onAnswer).send();
    }

    /** Opens a worker's poll. */
    ClientCall<List<Assignment>> poll(ClaimWork work, Set<String> modules, Consumer<List<Assignment>> onAnswer) {
        var call = new ClientCall<>(this, shard -> shard.claim(ORG, work, SimulatedWorker.POLL_TIMEOUT), onAnswer);
        call.markAsPoll(work.request(), modules);
        call.send();
        return call;
    }

    /** Picks a node that looks like the owner; if there are two, either of them. */
    @Nullable
    SimulatedNode pickNode() {
        List<SimulatedNode> up = nodes.stream()
                .filter(node -> !node.isDown() && !node.shard.isClosed())
                .toList();
        return up.isEmpty() ? null : up.get(world.random.nextInt(up.size()));
    }

    /** Lets a second node take the shard while the first still believes that it owns it. */
    void addSecondOwner() {
        if (nodes.size() == 1) {
            world.checker.coverage().add(Coverage.TWO_OWNERS);
            open();
        }
    }

    /** Kills a node between two passes, while it writes nothing. */
    void kill() {
        if (!nodes.isEmpty()) {
            nodes.getFirst().die();
        }
    }

    /**
     * Compares the memory with the rows, and then kills the node, so that the memory is rebuilt from the rows. The
     * rebuilt memory must be the same.
     */
    void rebuild() {
        send(
                shard -> shard.query(ORG, (org, now) -> {
                    if (storeFaults.canCompare(org)) {
                        compare(org, now);
                    }
                    return true;
                }),
                ignored -> world.schedule(0, this::kill));
    }

    private void compare(Organisation live, long now) {
        OrganisationRows rows = journal.rows(ORG, now);
        Organisation restored = Organisation.restore(rows, now);
        OrganisationRows known = rows.withStarts(List.of());
        Violation.require(
                live.rows().equals(known), "S7", "the rows do not say what was lived: %s, %s", rows, live.rows());
        Violation.require(restored.rows().equals(known), "S7", "what was rebuilt is not what the rows say: %s", rows);
        List<String> usage = usage(live, now);
        Violation.require(
                usage.equals(usage(restored, now)), "S7", "lived %s, rebuilt %s", usage, usage(restored, now));
        world.note(new Fact.Rebuilt(world.now()));
    }

    /** The usage of limits, without the limits that are unused and have no waiters, pause or pin. */
    private static List<String> usage(Organisation known, long now) {
        List<String> usage = new ArrayList<>();
        for (LimitSnapshot limit : known.limits(now)) {
            boolean relevant = limit.used() > 0 || limit.totalWaiting() > 0 || limit.paused() || limit.pin() != null;
            if (relevant) {
                usage.add("%s: %s used by %s, %s wait, paused %s, %s"
                        .formatted(
                                limit.limit(),
                                limit.used(),
                                limit.holders(),
                                limit.totalWaiting(),
                                limit.paused(),
                                limit.pin()));
            }
        }
        return usage;
    }
}
