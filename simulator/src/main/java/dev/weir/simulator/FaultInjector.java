package dev.weir.simulator;

import dev.weir.core.command.PinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.engine.request.StartRequest;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Injects faults into nodes, the journal and the rules. */
final class FaultInjector {
    private final SimulatedWorld world;
    private final List<Plan> plans;
    private int poisons;

    FaultInjector(SimulatedWorld world, List<Plan> plans) {
        this.world = world;
        this.plans = plans;
    }

    void strike() {
        StoreFaults weather = world.cluster.weather;
        switch (world.random.nextInt(16)) {
            case 0 -> weather.strike(StoreFaults.Blow.DIES_BEFORE_COMMIT);
            case 1 -> weather.strike(StoreFaults.Blow.DIES_IN_COMMIT);
            case 2 -> weather.strike(StoreFaults.Blow.DIES_AFTER_COMMIT);
            case 3 -> weather.strike(StoreFaults.Blow.NOT_WRITTEN);
            case 4 -> weather.strike(StoreFaults.Blow.NOT_TOLD);
            case 5 -> weather.strike(StoreFaults.Blow.LATE);
            case 6 -> weather.strike(StoreFaults.Blow.SLOW);
            case 7 -> weather.strike(StoreFaults.Blow.STALLS);
            case 8 -> weather.unreachable(world.between(SimulatedWorld.SECOND / 10, 15 * SimulatedWorld.SECOND));
            case 9, 10 -> rival(weather);
            case 11 -> {
                world.checker.seen().add(Coverage.NODE_KILLED);
                world.cluster.kill();
            }
            case 12 -> poisonRule();
            case 13 -> poisonRows();
            case 14 -> weather.sleep(world.between(5 * SimulatedWorld.SECOND, 40 * SimulatedWorld.SECOND));
            default -> removeRow(weather);
        }
    }

    /** Adds a second owner, in most cases while the first one is in the middle of a transaction. */
    private void rival(StoreFaults weather) {
        if (world.chance(60)) {
            weather.strike(world.chance(50) ? StoreFaults.Blow.SLOW : StoreFaults.Blow.STALLS);
            world.later(world.between(0, 4 * SimulatedWorld.SECOND), world.cluster::rival);
        } else {
            world.cluster.rival();
        }
    }

    /** Sends a command whose rule throws an exception, among healthy commands. */
    @SuppressWarnings("NullAway") // a value that no rule expects is the point
    private void poisonRule() {
        PinKey.Values nothing = null;
        var poison = new PinKey(new LimitId.Key("poisoned"), nothing);
        new ClientCall<>(world.cluster, shard -> shard.send(SimulatedCluster.ORG, poison), answer -> {
                    throw new Violation("L6", "a command that cannot be carried out was answered " + answer);
                })
                .orFailed(failure -> world.checker.seen().add(Coverage.RULE_FAILED))
                .send();
    }

    /** Sends a start that the rules accept and the store refuses to write. */
    private void poisonRows() {
        if (world.checker.tally().runs.isEmpty()) {
            return;
        }
        poisons++;
        String workflow = plans.getFirst().workflow().name();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c0");
        var start = StartRequest.of(StoreFaults.POISON + poisons, workflow, input);
        new ClientCall<>(world.cluster, shard -> shard.start(SimulatedCluster.ORG, start), answer -> {
                    throw new Violation("L6", "a start that cannot be written was answered " + answer);
                })
                .orFailed(failure -> {})
                .send();
    }

    private void removeRow(StoreFaults weather) {
        List<Claim> live = List.copyOf(world.checker.tally().live.values());
        if (!live.isEmpty()) {
            weather.removeClaim(live.get(world.random.nextInt(live.size())));
        }
    }
}
