package dev.weir.testkit.simulator;

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
    final StoreFaults weather;
    final MemoryJournal journal;
    final Counters counters = new Counters();
    private final List<SimulatedNode> machines = new ArrayList<>();
    private int born;

    SimulatedCluster(SimulatedWorld world) {
        this.world = world;
        this.weather = new StoreFaults(this);
        this.journal = new MemoryJournal(world::now, weather).with(ORG);
        open();
    }

    /** True if a batch was ever decided while the one before was being written. */
    boolean decidedAhead() {
        return counters.figures().of(CounterName.DECIDED_AHEAD) > 0;
    }

    /**
     * The number of times that a sweep found a limit's usage to differ from the live claims: 0, unless there is a bug.
     */
    long usageCorrections() {
        return counters.figures().of(CounterName.USAGE_CORRECTIONS);
    }

    int shard() {
        return journal.shardOf(ORG);
    }

    /** Opens a new node. It takes the shard when it gets its first request. */
    SimulatedNode open() {
        born++;
        var machine = new SimulatedNode(this, "node" + born);
        machines.add(machine);
        return machine;
    }

    /** Steps the loop of every node that is up, most of the time. */
    void turn() {
        for (SimulatedNode machine : List.copyOf(machines)) {
            machine.turn();
        }
        machines.removeIf(machine -> machine.down() || machine.shard.closed());
    }

    boolean isDown() {
        return machines.stream().allMatch(machine -> machine.down() || machine.shard.closed());
    }

    /** Opens a node after a while if none is left. */
    void reopenLater() {
        world.later(world.between(10_000, 3 * SimulatedWorld.SECOND), () -> {
            if (isDown()) {
                open();
            }
        });
    }

    /** The owner of the shard, if it is the only node and nothing disturbs it; null otherwise. */
    @Nullable
    SimulatedNode soleOwner() {
        SimulatedNode only = machines.size() == 1 ? machines.getFirst() : null;
        return only == null || only.busy() || only.down() || !weather.isOwner(only) ? null : only;
    }

    boolean settled() {
        SimulatedNode owner = soleOwner();
        if (owner == null || !owner.shard.settled()) {
            return false;
        }
        weather.settled();
        return owner.shard.find(ORG).filter(weather::calm).isPresent();
    }

    /** The organisation in the owner's memory, or restored from the rows if there is no owner. */
    Organisation memory() {
        SimulatedNode owner = soleOwner();
        return (owner == null ? java.util.Optional.<Organisation>empty() : owner.shard.find(ORG))
                .orElseGet(() -> Organisation.restore(journal.rows(ORG, world.now()), world.now()));
    }

    /** Sends a client's request to a node, and to another one if that node cannot answer. */
    <A> void ask(Function<Shard, CompletableFuture<A>> how, Consumer<A> then) {
        new ClientCall<>(this, how, then).send();
    }

    /** Opens a worker's poll. */
    ClientCall<List<Assignment>> poll(ClaimWork work, Set<String> modules, Consumer<List<Assignment>> then) {
        var call = new ClientCall<>(this, shard -> shard.claim(ORG, work, SimulatedWorker.POLL_MAX), then);
        call.asPoll(work.request(), modules);
        call.send();
        return call;
    }

    /** Picks a node that looks like the owner; if there are two, either of them. */
    @Nullable
    SimulatedNode choose() {
        List<SimulatedNode> up = machines.stream()
                .filter(machine -> !machine.down() && !machine.shard.closed())
                .toList();
        return up.isEmpty() ? null : up.get(world.random.nextInt(up.size()));
    }

    /** Lets a second node take the shard while the first still believes that it owns it. */
    void rival() {
        if (machines.size() == 1) {
            world.checker.seen().add(Coverage.TWO_OWNERS);
            open();
        }
    }

    /** Kills a node between two passes, while it writes nothing. */
    void kill() {
        if (!machines.isEmpty()) {
            machines.getFirst().die();
        }
    }

    /**
     * Compares the memory with the rows, and then kills the node, so that the memory is rebuilt from the rows. The
     * rebuilt memory must be the same.
     */
    void rebuild() {
        ask(
                shard -> shard.look(ORG, (org, now) -> {
                    if (weather.calm(org)) {
                        compare(org, now);
                    }
                    return true;
                }),
                ignored -> world.later(0, this::kill));
    }

    private void compare(Organisation lived, long now) {
        OrganisationRows kept = journal.rows(ORG, now);
        Organisation built = Organisation.restore(kept, now);
        OrganisationRows known = kept.withStarts(List.of());
        Violation.unless(
                lived.rows().equals(known), "S7", "the rows do not say what was lived: %s, %s", kept, lived.rows());
        Violation.unless(built.rows().equals(known), "S7", "what was rebuilt is not what the rows say: %s", kept);
        List<String> usage = usage(lived, now);
        Violation.unless(usage.equals(usage(built, now)), "S7", "lived %s, rebuilt %s", usage, usage(built, now));
        world.note(new Fact.Rebuilt(world.now()));
    }

    /** The usage of limits, without the limits that are unused and have no waiters, pause or pin. */
    private static List<String> usage(Organisation known, long now) {
        List<String> usage = new ArrayList<>();
        for (LimitSnapshot limit : known.limits(now)) {
            boolean missed = limit.used() > 0 || limit.asking() > 0 || limit.paused() || limit.pin() != null;
            if (missed) {
                usage.add("%s: %s used by %s, %s wait, paused %s, %s"
                        .formatted(
                                limit.limit(),
                                limit.used(),
                                limit.holders(),
                                limit.asking(),
                                limit.paused(),
                                limit.pin()));
            }
        }
        return usage;
    }
}
