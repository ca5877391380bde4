package dev.weir.core.forecast;

import dev.weir.core.admission.Cause;
import dev.weir.core.admission.Refusal;
import dev.weir.core.life.Ask;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The time that steps waited, by what kept them. Whenever time is about to go on, those whose limits have changed are
 * asked for the first thing that refuses them; until it changes, all their time goes to that. Steps that ask for the same
 * and are held by a shared limit have one answer, so the cost does not grow with the number of waiters.
 */
final class Waits {
    private final Function<UnitId, Optional<Refusal>> heldBy;
    private final Map<LaneId, Lane> lanes = new HashMap<>();
    private final Map<String, Set<Lane>> byRun = new HashMap<>();
    private final Map<GroupId, Group> groups = new HashMap<>();
    private final Map<LimitId.Shared, Set<Group>> byLimit = new HashMap<>();
    private final Set<Lane> changedLanes = new LinkedHashSet<>();
    private final Set<Group> changedGroups = new LinkedHashSet<>();
    /** What time alone can change: held by a rate, or by a tick. */
    private final Set<Lane> tickHeld = new LinkedHashSet<>();

    private final Set<Group> rateHeld = new LinkedHashSet<>();
    private final Map<Account, Long> totals = new LinkedHashMap<>();

    Waits(Function<UnitId, Optional<Refusal>> heldBy) {
        this.heldBy = heldBy;
    }

    /** What the time of a step is put down to. */
    record Account(String step, Refusal held) {}

    private record LaneId(String run, String step, Ask ask) {}

    private record GroupId(String step, Ask ask) {}

    /** Waiters of one step with one reason. */
    private abstract static sealed class Held {
        final String step;

        @Nullable
        Refusal cause;

        int count;
        long since;

        Held(String step) {
            this.step = step;
        }
    }

    /** Waiters of several runs that ask for the same, and that nothing in their runs holds. */
    private static final class Group extends Held {
        final GroupId id;
        final Set<Lane> lanes = new LinkedHashSet<>();
        /** Lanes that are in it, or may come back to it. */
        int users;

        Group(GroupId id) {
            super(id.step);
            this.id = id;
        }
    }

    /** Waiters of one run that ask for the same. */
    private static final class Lane extends Held {
        final LaneId id;
        final Group group;
        final Set<UnitId> units = new LinkedHashSet<>();
        boolean inGroup;

        Lane(LaneId id, Group group) {
            super(id.step);
            this.id = id;
            this.group = group;
        }

        Held held() {
            return inGroup ? group : this;
        }
    }

    void begin(UnitId unit, Ask ask, long now) {
        var id = new LaneId(unit.run(), unit.step(), ask);
        Lane lane = lanes.get(id);
        if (lane == null) {
            lane = new Lane(id, group(new GroupId(unit.step(), ask)));
            lanes.put(id, lane);
            lane.group.users++;
            byRun.computeIfAbsent(unit.run(), ignored -> new LinkedHashSet<>()).add(lane);
            changedLanes.add(lane);
        }
        lane.units.add(unit);
        flush(lane.held(), now);
        lane.held().count++;
    }

    private Group group(GroupId id) {
        Group group = groups.get(id);
        if (group == null) {
            group = new Group(id);
            groups.put(id, group);
            for (Need need : id.ask.needs()) {
                byLimit.computeIfAbsent(need.limit(), ignored -> new LinkedHashSet<>())
                        .add(group);
            }
        }
        return group;
    }

    void end(UnitId unit, Ask ask, long now) {
        var id = new LaneId(unit.run(), unit.step(), ask);
        Lane lane = lanes.get(id);
        if (lane == null || !lane.units.remove(unit)) {
            throw new IllegalStateException("expected that " + unit + " waits, found that it does not");
        }
        flush(lane.held(), now);
        lane.held().count--;
        if (lane.units.isEmpty()) {
            drop(lane, now);
        }
    }

    private void drop(Lane lane, long now) {
        leaveGroup(lane, now);
        lanes.remove(lane.id);
        changedLanes.remove(lane);
        tickHeld.remove(lane);
        Set<Lane> ofRun = byRun.getOrDefault(lane.id.run, Set.of());
        ofRun.remove(lane);
        if (ofRun.isEmpty()) {
            byRun.remove(lane.id.run);
        }
        lane.group.users--;
        if (lane.group.users == 0) {
            drop(lane.group);
        }
    }

    private void drop(Group group) {
        groups.remove(group.id);
        rateHeld.remove(group);
        changedGroups.remove(group);
        for (Need need : group.id.ask.needs()) {
            Set<Group> ofLimit = byLimit.getOrDefault(need.limit(), Set.of());
            ofLimit.remove(group);
            if (ofLimit.isEmpty()) {
                byLimit.remove(need.limit());
            }
        }
    }

    /** Something of the run started, ended, or became ready. */
    void runChanged(String run) {
        changedLanes.addAll(byRun.getOrDefault(run, Set.of()));
    }

    /** Something that needs these limits started or ended. */
    void limitsChanged(List<Need> needs) {
        for (Need need : needs) {
            changedGroups.addAll(byLimit.getOrDefault(need.limit(), Set.of()));
        }
    }

    /** Takes no reason for granted: the next {@link #settle} asks for all of them. */
    void doubtAll() {
        changedLanes.addAll(lanes.values());
    }

    /** Asks anew for the reasons that may have changed; to be called before time goes on. */
    void settle(long now) {
        changedLanes.addAll(tickHeld);
        for (Lane lane : List.copyOf(changedLanes)) {
            judge(lane, now);
        }
        changedLanes.clear();
        changedGroups.addAll(rateHeld);
        for (Group group : List.copyOf(changedGroups)) {
            judge(group, now);
        }
        changedGroups.clear();
    }

    private void judge(Lane lane, long now) {
        Refusal found = heldBy(lane);
        if (found.limit() instanceof LimitId.Local) {
            leaveGroup(lane, now);
            setCause(lane, found, now);
            remember(tickHeld, lane, found.cause() == Cause.RATE);
        } else {
            joinGroup(lane, now);
            tickHeld.remove(lane);
            setCause(lane.group, found, now);
            remember(rateHeld, lane.group, found.cause() == Cause.RATE);
        }
    }

    /** One of the group speaks for all of it; one that its own run holds by now leaves it. */
    private void judge(Group group, long now) {
        for (Lane lane : new ArrayList<>(group.lanes)) {
            judge(lane, now);
            if (lane.inGroup) {
                return;
            }
        }
    }

    private static <T> void remember(Set<T> set, T member, boolean in) {
        if (in) {
            set.add(member);
        } else {
            set.remove(member);
        }
    }

    /** Whoever no limit holds waits for somebody who has time for it. */
    private Refusal heldBy(Lane lane) {
        return heldBy.apply(lane.units.iterator().next()).orElse(new Refusal(null, Cause.NO_WORKER));
    }

    private void joinGroup(Lane lane, long now) {
        if (!lane.inGroup) {
            flush(lane, now);
            flush(lane.group, now);
            lane.group.count += lane.count;
            lane.count = 0;
            lane.inGroup = true;
            lane.group.lanes.add(lane);
        }
    }

    private void leaveGroup(Lane lane, long now) {
        if (lane.inGroup) {
            flush(lane.group, now);
            lane.since = now;
            lane.count = lane.units.size();
            lane.group.count -= lane.count;
            lane.inGroup = false;
            lane.group.lanes.remove(lane);
        }
    }

    private void setCause(Held held, Refusal cause, long now) {
        if (!cause.equals(held.cause)) {
            flush(held, now);
            held.cause = cause;
        }
    }

    private void flush(Held held, long now) {
        long time = held.count * (now - held.since);
        held.since = now;
        if (time == 0) {
            return;
        }
        if (held.cause == null) {
            throw new IllegalStateException("expected a reason for what waits of step " + held.step + ", found none");
        }
        totals.merge(new Account(held.step, held.cause), time, Long::sum);
    }

    /** The times so far, in microseconds; what still waits is counted up to now. */
    Map<Account, Long> totals(long now) {
        lanes.values().forEach(lane -> flush(lane.held(), now));
        return totals;
    }

    /** What waits now, and how much of it. */
    Map<Account, Integer> held() {
        Map<Account, Integer> held = new LinkedHashMap<>();
        for (Lane lane : lanes.values()) {
            Refusal cause = lane.held().cause;
            if (cause != null) {
                held.merge(new Account(lane.step, cause), lane.units.size(), Integer::sum);
            }
        }
        return held;
    }
}
