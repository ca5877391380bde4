package dev.weir.testkit.simulator;

import dev.weir.core.life.Claim;
import dev.weir.core.life.PinKey;
import dev.weir.core.life.Plan;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.engine.StartRequest;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Strikes at nodes, at the journal, and at the rules. */
final class Nemesis {
    private final World world;
    private final List<Plan> plans;
    private int poisons;

    Nemesis(World world, List<Plan> plans) {
        this.world = world;
        this.plans = plans;
    }

    void strike() {
        Weather weather = world.cluster.weather;
        switch (world.random.nextInt(16)) {
            case 0 -> weather.strike(Weather.Blow.DIES_BEFORE_COMMIT);
            case 1 -> weather.strike(Weather.Blow.DIES_IN_COMMIT);
            case 2 -> weather.strike(Weather.Blow.DIES_AFTER_COMMIT);
            case 3 -> weather.strike(Weather.Blow.NOT_WRITTEN);
            case 4 -> weather.strike(Weather.Blow.NOT_TOLD);
            case 5 -> weather.strike(Weather.Blow.LATE);
            case 6 -> weather.strike(Weather.Blow.SLOW);
            case 7 -> weather.strike(Weather.Blow.STALLS);
            case 8 -> weather.unreachable(world.between(World.SECOND / 10, 15 * World.SECOND));
            case 9, 10 -> rival(weather);
            case 11 -> {
                world.checker.seen().add(Kind.NODE_KILLED);
                world.cluster.kill();
            }
            case 12 -> poisonRule();
            case 13 -> poisonRows();
            case 14 -> weather.sleep(world.between(5 * World.SECOND, 40 * World.SECOND));
            default -> removeRow(weather);
        }
    }

    /** A second owner, most often while the first is in the middle of something. */
    private void rival(Weather weather) {
        if (world.chance(60)) {
            weather.strike(world.chance(50) ? Weather.Blow.SLOW : Weather.Blow.STALLS);
            world.later(world.between(0, 4 * World.SECOND), world.cluster::rival);
        } else {
            world.cluster.rival();
        }
    }

    /** A command whose rule fails half way, among others that are well. */
    @SuppressWarnings("NullAway") // a value that no rule expects is the point
    private void poisonRule() {
        Pin nothing = null;
        var poison = new PinKey(new LimitId.Key("poisoned"), nothing);
        new Call<>(world.cluster, shard -> shard.send(Cluster.ORG, poison), answer -> {
                    throw new Violation("L6", "a command that cannot be carried out was answered " + answer);
                })
                .orFailed(failure -> world.checker.seen().add(Kind.RULE_FAILED))
                .send();
    }

    /** A start that the rules accept and the store will not write. */
    private void poisonRows() {
        if (world.checker.tally().runs.isEmpty()) {
            return;
        }
        poisons++;
        String workflow = plans.getFirst().workflow().name();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c0");
        var start = StartRequest.of(Weather.POISON + poisons, workflow, input);
        new Call<>(world.cluster, shard -> shard.start(Cluster.ORG, start), answer -> {
                    throw new Violation("L6", "a start that cannot be written was answered " + answer);
                })
                .orFailed(failure -> {})
                .send();
    }

    private void removeRow(Weather weather) {
        List<Claim> live = List.copyOf(world.checker.tally().live.values());
        if (!live.isEmpty()) {
            weather.removeClaim(live.get(world.random.nextInt(live.size())));
        }
    }
}
