package dev.weir.simulator;

import dev.weir.core.command.PinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Claim;
import dev.weir.engine.request.StartOutcome;
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

    void injectFault() {
        StoreFaults storeFaults = world.cluster.storeFaults;
        switch (world.random.nextInt(16)) {
            case 0 -> storeFaults.setNextFault(StoreFaults.TransactionFault.DIES_BEFORE_COMMIT);
            case 1 -> storeFaults.setNextFault(StoreFaults.TransactionFault.DIES_IN_COMMIT);
            case 2 -> storeFaults.setNextFault(StoreFaults.TransactionFault.DIES_AFTER_COMMIT);
            case 3 -> storeFaults.setNextFault(StoreFaults.TransactionFault.NOT_WRITTEN);
            case 4 -> storeFaults.setNextFault(StoreFaults.TransactionFault.UNCONFIRMED);
            case 5 -> storeFaults.setNextFault(StoreFaults.TransactionFault.LATE);
            case 6 -> storeFaults.setNextFault(StoreFaults.TransactionFault.SLOW);
            case 7 -> storeFaults.setNextFault(StoreFaults.TransactionFault.STALLS);
            case 8 ->
                storeFaults.makeUnreachable(
                        world.randomBetween(SimulatedWorld.SECOND / 10, 15 * SimulatedWorld.SECOND));
            case 9, 10 -> addSecondOwner(storeFaults);
            case 11 -> {
                world.checker.coverage().add(Coverage.NODE_KILLED);
                world.cluster.kill();
            }
            case 12 -> poisonRule();
            case 13 -> poisonRows();
            case 14 ->
                storeFaults.sleepMachines(world.randomBetween(5 * SimulatedWorld.SECOND, 40 * SimulatedWorld.SECOND));
            default -> removeClaimRow(storeFaults);
        }
    }

    /** Adds a second owner, in most cases while the first one is in the middle of a transaction. */
    private void addSecondOwner(StoreFaults storeFaults) {
        if (world.chance(60)) {
            storeFaults.setNextFault(
                    world.chance(50) ? StoreFaults.TransactionFault.SLOW : StoreFaults.TransactionFault.STALLS);
            world.schedule(world.randomBetween(0, 4 * SimulatedWorld.SECOND), world.cluster::addSecondOwner);
        } else {
            world.cluster.addSecondOwner();
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
                .onFailure(failure -> world.checker.coverage().add(Coverage.RULE_FAILED))
                .send();
    }

    /** Sends a start that the store refuses to write. The rules accept it, unless the organisation is suspended. */
    private void poisonRows() {
        if (world.checker.traceState().runs.isEmpty()) {
            return;
        }
        poisons++;
        String workflow = plans.getFirst().workflow().name();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c0");
        var start = StartRequest.of(StoreFaults.POISON_PREFIX + poisons, workflow, input);
        new ClientCall<>(world.cluster, shard -> shard.start(SimulatedCluster.ORG, start), answer -> {
                    if (!(answer instanceof StartOutcome.Closed)) {
                        throw new Violation("L6", "a start that cannot be written was answered " + answer);
                    }
                })
                .onFailure(failure -> {})
                .send();
    }

    private void removeClaimRow(StoreFaults storeFaults) {
        List<Claim> live = List.copyOf(world.checker.traceState().liveClaims.values());
        if (!live.isEmpty()) {
            storeFaults.removeClaim(live.get(world.random.nextInt(live.size())));
        }
    }
}
