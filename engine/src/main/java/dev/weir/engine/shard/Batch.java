package dev.weir.engine.shard;

import dev.weir.core.life.Move;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one pass is about: the organisations in it, in the order of their turns. */
final class Batch {
    final Map<String, Turn> turns = new LinkedHashMap<>();
    /** Whether programs have left starts that are to be taken in as well. */
    boolean wantsInbox;

    private final OpenPolls polls;

    Batch(OpenPolls polls) {
        this.polls = polls;
    }

    Turn turn(String org) {
        return turns.computeIfAbsent(org, added -> new Turn(added, polls));
    }

    /** Takes these organisations out; gives what there was of them. */
    Batch takeOut(Set<String> orgs) {
        var out = new Batch(polls);
        for (String org : orgs) {
            Turn turn = turns.remove(org);
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

    /** What was decided, by organisation. */
    Map<String, List<Move>> moves() {
        Map<String, List<Move>> moves = new LinkedHashMap<>();
        turns.values().stream().filter(turn -> !turn.moves.isEmpty()).forEach(turn -> moves.put(turn.org, turn.moves));
        return moves;
    }

    int messages() {
        return turns.values().stream().mapToInt(turn -> turn.messages.size()).sum();
    }
}
