package dev.weir.testkit.simulator;

import dev.weir.core.admission.LimitView;
import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Rows;
import dev.weir.engine.shard.Count;
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

/** The nodes of a simulation, with one journal under them. Clients find a node, and ask again if they get no answer. */
final class Cluster {
    static final String ORG = "acme";

    final World world;
    final Weather weather;
    final MemoryJournal journal;
    final Counters counters = new Counters();
    private final List<Machine> machines = new ArrayList<>();
    private int born;

    Cluster(World world) {
        this.world = world;
        this.weather = new Weather(this);
        this.journal = new MemoryJournal(world::now, weather).with(ORG);
        open();
    }

    /** Whether a batch was ever decided while the one before was written. */
    boolean decidedAhead() {
        return counters.figures().of(Count.DECIDED_AHEAD) > 0;
    }

    int shard() {
        return journal.shardOf(ORG);
    }

    /** A new node; it takes the shard when it is asked something. */
    Machine open() {
        born++;
        var machine = new Machine(this, "node" + born);
        machines.add(machine);
        return machine;
    }

    /** Every node that is up makes a turn, most of the time. */
    void turn() {
        for (Machine machine : List.copyOf(machines)) {
            machine.turn();
        }
        machines.removeIf(machine -> machine.down() || machine.shard.closed());
    }

    boolean isDown() {
        return machines.stream().allMatch(machine -> machine.down() || machine.shard.closed());
    }

    /** Somebody opens a node sooner or later when none is left. */
    void reopenLater() {
        world.later(world.between(10_000, 3 * World.SECOND), () -> {
            if (isDown()) {
                open();
            }
        });
    }

    /** The node that nobody has taken the shard from, if it is the only one and nothing disturbs it. */
    @Nullable
    Machine soleOwner() {
        Machine only = machines.size() == 1 ? machines.getFirst() : null;
        return only == null || only.busy() || only.down() || !weather.isOwner(only) ? null : only;
    }

    boolean settled() {
        Machine owner = soleOwner();
        if (owner == null || !owner.shard.settled()) {
            return false;
        }
        weather.settled();
        return owner.shard.find(ORG).filter(weather::calm).isPresent();
    }

    /** What the owner has in memory; what the rows say if there is none. */
    Organisation memory() {
        Machine owner = soleOwner();
        return (owner == null ? java.util.Optional.<Organisation>empty() : owner.shard.find(ORG))
                .orElseGet(() -> Organisation.restore(journal.rows(ORG, world.now()), world.now()));
    }

    /** A client asks a node, and another if that one cannot answer. */
    <A> void ask(Function<Shard, CompletableFuture<A>> how, Consumer<A> then) {
        new Call<>(this, how, then).send();
    }

    /** A worker waits for work. */
    Call<List<Assignment>> poll(ClaimWork work, Set<String> modules, Consumer<List<Assignment>> then) {
        var call = new Call<>(this, shard -> shard.claim(ORG, work, Worker.POLL_MAX), then);
        call.asPoll(work.request(), modules);
        call.send();
        return call;
    }

    /** A node that looks like the owner; with two of them, either. */
    @Nullable
    Machine choose() {
        List<Machine> up = machines.stream()
                .filter(machine -> !machine.down() && !machine.shard.closed())
                .toList();
        return up.isEmpty() ? null : up.get(world.random.nextInt(up.size()));
    }

    /** A second node takes the shard while the first still believes that it owns it. */
    void rival() {
        if (machines.size() == 1) {
            world.checker.seen().add(Kind.TWO_OWNERS);
            open();
        }
    }

    /** A node dies between two passes, with nothing on its way. */
    void kill() {
        if (!machines.isEmpty()) {
            machines.getFirst().die();
        }
    }

    /** Throws the memory away after seeing that it is what the rows say; what is built from them must be the same. */
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
        Rows kept = journal.rows(ORG, now);
        Organisation built = Organisation.restore(kept, now);
        Rows known = kept.withStarts(List.of());
        Violation.unless(
                lived.rows().equals(known), "S7", "the rows do not say what was lived: %s, %s", kept, lived.rows());
        Violation.unless(built.rows().equals(known), "S7", "what was rebuilt is not what the rows say: %s", kept);
        List<String> usage = usage(lived, now);
        Violation.unless(usage.equals(usage(built, now)), "S7", "lived %s, rebuilt %s", usage, usage(built, now));
        world.note(new Fact.Rebuilt(world.now()));
    }

    /** What limits have in use, of those that would be missed. */
    private static List<String> usage(Organisation known, long now) {
        List<String> usage = new ArrayList<>();
        for (LimitView limit : known.limits(now)) {
            boolean missed = limit.used() > 0 || limit.waiting() > 0 || limit.paused() || limit.pin() != null;
            if (missed) {
                usage.add("%s: %s used by %s, %s wait, paused %s, %s"
                        .formatted(
                                limit.limit(),
                                limit.used(),
                                limit.holders(),
                                limit.waiting(),
                                limit.paused(),
                                limit.pin()));
            }
        }
        return usage;
    }
}
