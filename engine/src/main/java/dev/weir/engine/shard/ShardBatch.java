package dev.weir.engine.shard;

import dev.weir.core.state.Move;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The input of one pass: the organisation batches, in the order of their turns. */
final class ShardBatch {
    final Map<String, OrganisationBatch> turns = new LinkedHashMap<>();
    /** True if the pass must also take starts from the inbox. */
    boolean wantsInbox;

    private final OpenPolls polls;

    ShardBatch(OpenPolls polls) {
        this.polls = polls;
    }

    OrganisationBatch turn(String org) {
        return turns.computeIfAbsent(org, added -> new OrganisationBatch(added, polls));
    }

    /** Removes these organisations, and returns their parts as a batch. */
    ShardBatch takeOut(Set<String> orgs) {
        var out = new ShardBatch(polls);
        for (String org : orgs) {
            OrganisationBatch turn = turns.remove(org);
            if (turn != null) {
                out.turns.put(org, turn);
            }
        }
        return out;
    }

    boolean isEmpty() {
        return turns.isEmpty() && !wantsInbox;
    }

    boolean changes() {
        return turns.values().stream().anyMatch(turn -> !turn.moves.isEmpty());
    }

    /** The decided moves, by organisation. */
    Map<String, List<Move>> moves() {
        Map<String, List<Move>> moves = new LinkedHashMap<>();
        turns.values().stream().filter(turn -> !turn.moves.isEmpty()).forEach(turn -> moves.put(turn.org, turn.moves));
        return moves;
    }

    int messages() {
        return turns.values().stream().mapToInt(turn -> turn.messages.size()).sum();
    }
}
