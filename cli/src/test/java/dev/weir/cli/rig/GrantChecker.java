package dev.weir.cli.rig;

import dev.weir.cli.rig.Evidence.Event;
import dev.weir.cli.rig.Evidence.RowKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Replays the claim log in the order in which it was written, and checks for every grant that each capacity, each
 * rate and the run's own limits allowed it at that instant, and that it took all that the step asks for.
 */
final class GrantChecker {
    private final Evidence evidence;
    private final List<String> findings = new ArrayList<>();
    private final Map<RowKey, Event> live = new HashMap<>();
    private final Map<RowKey, Long> fences = new HashMap<>();
    private final Map<String, Integer> allocated = new HashMap<>();
    private final Map<String, Deque<Start>> starts = new HashMap<>();
    private final Map<String, JsonNode> pins = new HashMap<>();
    private long now = Long.MIN_VALUE;

    private record Start(long at, int cost) {}

    private GrantChecker(Evidence evidence) {
        this.evidence = evidence;
    }

    static List<String> check(Evidence evidence) {
        var checker = new GrantChecker(evidence);
        checker.replay();
        return checker.findings;
    }

    private void replay() {
        var runs = evidence.runsByNumber();
        for (Event event : evidence.events()) {
            if (event.at() < now) {
                findings.add("the log goes back in time: " + event + " after " + now);
            }
            now = Math.max(now, event.at());
            if (event.isGrant()) {
                var run = runs.get(event.key().run());
                grant(event, run == null ? "run number " + event.key().run() : run.id());
            } else if (event.isRelease()) {
                var run = runs.get(event.key().run());
                release(event, run == null ? "run number " + event.key().run() : run.id());
            } else if (event.kind().equals("pinned")) {
                pins.put(event.limit(), event.value());
            } else if (event.kind().equals("unpinned")) {
                pins.remove(event.limit());
            }
        }
        live.values().forEach(grant -> findings.add("never given back: " + grant));
        allocated.forEach((limit, amount) -> {
            if (amount != 0) {
                findings.add("held in the end: " + amount + " of " + limit);
            }
        });
    }

    private void grant(Event grant, String run) {
        if (live.putIfAbsent(grant.key(), grant) != null) {
            findings.add("granted while it is claimed: " + grant);
            return;
        }
        Long before = fences.put(grant.key(), grant.fence());
        if (before != null && before >= grant.fence()) {
            findings.add("fence " + grant.fence() + " after " + before + ": " + grant);
        }
        var needs = new HashSet<>(grant.needs());
        if (!needs.equals(new HashSet<>(Load.task(grant.module()).needs()))) {
            findings.add("granted under other limits than its workflow names: " + grant);
        }
        for (Need need : grant.needs()) {
            checkCapacity(need, grant);
            checkRate(need, grant);
        }
        for (Load.LimitUse use : Load.runLimitUses(grant.module(), run)) {
            if (allocate(use.limit(), use.weight()) > use.max()) {
                findings.add("over the limit: " + allocated.get(use.limit()) + " of " + use.max() + " " + use.limit());
            }
        }
    }

    private int allocate(String limit, int weight) {
        return allocated.merge(limit, weight, Integer::sum);
    }

    private void checkCapacity(Need need, Event grant) {
        int pinned = pin(need.limit()).path("parallelism").asInt(0);
        int max = pinned == 0 ? need.parallelism() : pinned;
        int amount = allocate(need.limit(), need.weight());
        if (max != 0 && amount > max) {
            findings.add("over the limit: " + amount + " of " + max + " of " + need.limit() + " at " + grant);
        }
    }

    private JsonNode pin(String limit) {
        @Nullable JsonNode pin = pins.get(limit);
        return pin == null ? tools.jackson.databind.json.JsonMapper.shared().missingNode() : pin;
    }

    /**
     * Checks the period that ends with this start. Every critical window ends with a start, so this covers all
     * windows.
     */
    private void checkRate(Need need, Event grant) {
        JsonNode pinned = pin(need.limit()).path("rate");
        int max = pinned.isMissingNode() ? need.rate() : pinned.path(0).asInt();
        long period = pinned.isMissingNode() ? need.period() : pinned.path(1).asLong();
        var log = starts.computeIfAbsent(need.limit(), ignored -> new ArrayDeque<>());
        log.addLast(new Start(grant.at(), need.cost()));
        if (max == 0) {
            return;
        }
        int used = 0;
        for (var newest = log.descendingIterator(); newest.hasNext(); ) {
            Start start = newest.next();
            if (start.at <= grant.at() - period) {
                break;
            }
            used += start.cost;
        }
        if (used > max) {
            findings.add("over the rate: " + used + " of " + max + " of " + need.limit() + " at " + grant);
        }
    }

    private void release(Event release, String run) {
        Event grant = live.get(release.key());
        if (grant == null || grant.fence() != release.fence()) {
            findings.add("given back, but not claimed under this fence: " + release);
            return;
        }
        live.remove(release.key());
        grant.needs().forEach(need -> allocate(need.limit(), -need.weight()));
        Load.runLimitUses(grant.module(), run).forEach(use -> allocate(use.limit(), -use.weight()));
    }
}
