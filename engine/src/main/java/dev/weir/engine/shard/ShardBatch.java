package dev.weir.engine.shard;

import dev.weir.core.state.Move;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The input of one pass: the organisation batches, in the order of their turns. */
final class ShardBatch {
    final Map<String, OrganisationBatch> orgBatches = new LinkedHashMap<>();
    /** True if the pass must also take starts from the inbox. */
    boolean includesInbox;

    private final OpenPolls polls;

    ShardBatch(OpenPolls polls) {
        this.polls = polls;
    }

    OrganisationBatch orgBatch(String org) {
        return orgBatches.computeIfAbsent(org, added -> new OrganisationBatch(added, polls));
    }

    /** Removes these organisations, and returns their parts as a batch. */
    ShardBatch splitOff(Set<String> orgs) {
        var removed = new ShardBatch(polls);
        for (String org : orgs) {
            OrganisationBatch orgBatch = orgBatches.remove(org);
            if (orgBatch != null) {
                removed.orgBatches.put(org, orgBatch);
            }
        }
        return removed;
    }

    boolean isEmpty() {
        return orgBatches.isEmpty() && !includesInbox;
    }

    boolean hasChanges() {
        return orgBatches.values().stream().anyMatch(orgBatch -> !orgBatch.moves.isEmpty());
    }

    /** The decided moves, by organisation. */
    Map<String, List<Move>> moves() {
        Map<String, List<Move>> moves = new LinkedHashMap<>();
        orgBatches.values().stream()
                .filter(orgBatch -> !orgBatch.moves.isEmpty())
                .forEach(orgBatch -> moves.put(orgBatch.org, orgBatch.moves));
        return moves;
    }

    int messageCount() {
        return orgBatches.values().stream()
                .mapToInt(orgBatch -> orgBatch.messages.size())
                .sum();
    }
}
