package dev.weir.forecast;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.UnitId;
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
 * Accounts the time that steps waited to the limits that held them. Before time advances, waiters whose limits changed
 * are judged again for the first limit that refuses them. Until that limit changes, it is charged with all of their
 * time. Steps with the same needs that a shared limit holds have one answer, so the cost does not grow with the number
 * of waiters.
 */
final class WaitTimes {
    private final Function<UnitId, Optional<Hold>> holdFinder;
    private final Map<LaneId, HeldLane> lanes = new HashMap<>();
    private final Map<String, Set<HeldLane>> byRun = new HashMap<>();
    private final Map<GroupId, Group> groups = new HashMap<>();
    private final Map<LimitId.Shared, Set<Group>> byLimit = new HashMap<>();
    private final Set<HeldLane> changedLanes = new LinkedHashSet<>();
    private final Set<Group> changedGroups = new LinkedHashSet<>();
    /** Lanes whose hold can end by time alone because of a tick. The set of groups below is the same for rates. */
    private final Set<HeldLane> heldByTick = new LinkedHashSet<>();

    private final Set<Group> heldByRate = new LinkedHashSet<>();
    private final Map<Account, Long> totals = new LinkedHashMap<>();

    WaitTimes(Function<UnitId, Optional<Hold>> holdFinder) {
        this.holdFinder = holdFinder;
    }

    /** A step and the hold to which its waiting time is charged. */
    record Account(String step, Hold hold) {}

    private record LaneId(String run, String step, LimitNeeds needs) {}

    private record GroupId(String step, LimitNeeds needs) {}

    /** Waiters of one step with one reason. */
    private abstract static sealed class HeldUnits {
        final String step;

        @Nullable
        Hold hold;

        int count;
        long since;

        HeldUnits(String step) {
            this.step = step;
        }
    }

    /** Waiters of several runs with the same needs that no limit of their own runs holds. */
    private static final class Group extends HeldUnits {
        final GroupId id;
        final Set<HeldLane> lanes = new LinkedHashSet<>();
        /** The number of lanes that are in the group or may return to it. */
        int laneCount;

        Group(GroupId id) {
            super(id.step);
            this.id = id;
        }
    }

    /** Waiters of one run with the same needs. */
    private static final class HeldLane extends HeldUnits {
        final LaneId id;
        final Group group;
        final Set<UnitId> units = new LinkedHashSet<>();
        boolean inGroup;

        HeldLane(LaneId id, Group group) {
            super(id.step);
            this.id = id;
            this.group = group;
        }

        HeldUnits heldUnits() {
            return inGroup ? group : this;
        }
    }

    void beginWait(UnitId unit, LimitNeeds needs, long now) {
        var id = new LaneId(unit.run(), unit.step(), needs);
        HeldLane lane = lanes.get(id);
        if (lane == null) {
            lane = new HeldLane(id, group(new GroupId(unit.step(), needs)));
            lanes.put(id, lane);
            lane.group.laneCount++;
            byRun.computeIfAbsent(unit.run(), ignored -> new LinkedHashSet<>()).add(lane);
            changedLanes.add(lane);
        }
        lane.units.add(unit);
        flush(lane.heldUnits(), now);
        lane.heldUnits().count++;
    }

    private Group group(GroupId id) {
        Group group = groups.get(id);
        if (group == null) {
            group = new Group(id);
            groups.put(id, group);
            for (LimitNeed need : id.needs.needs()) {
                byLimit.computeIfAbsent(need.limit(), ignored -> new LinkedHashSet<>())
                        .add(group);
            }
        }
        return group;
    }

    void endWait(UnitId unit, LimitNeeds needs, long now) {
        var id = new LaneId(unit.run(), unit.step(), needs);
        HeldLane lane = lanes.get(id);
        if (lane == null || !lane.units.remove(unit)) {
            throw new IllegalStateException("expected that " + unit + " waits, found that it does not");
        }
        flush(lane.heldUnits(), now);
        lane.heldUnits().count--;
        if (lane.units.isEmpty()) {
            remove(lane, now);
        }
    }

    private void remove(HeldLane lane, long now) {
        leaveGroup(lane, now);
        lanes.remove(lane.id);
        changedLanes.remove(lane);
        heldByTick.remove(lane);
        Set<HeldLane> lanesOfRun = byRun.getOrDefault(lane.id.run, Set.of());
        lanesOfRun.remove(lane);
        if (lanesOfRun.isEmpty()) {
            byRun.remove(lane.id.run);
        }
        lane.group.laneCount--;
        if (lane.group.laneCount == 0) {
            remove(lane.group);
        }
    }

    private void remove(Group group) {
        groups.remove(group.id);
        heldByRate.remove(group);
        changedGroups.remove(group);
        for (LimitNeed need : group.id.needs.needs()) {
            Set<Group> groupsOfLimit = byLimit.getOrDefault(need.limit(), Set.of());
            groupsOfLimit.remove(group);
            if (groupsOfLimit.isEmpty()) {
                byLimit.remove(need.limit());
            }
        }
    }

    /** Records that a unit of the run started, ended, or became ready. */
    void runChanged(String run) {
        changedLanes.addAll(byRun.getOrDefault(run, Set.of()));
    }

    /** Records that a run or unit with these needs started or ended. */
    void limitsChanged(List<LimitNeed> needs) {
        for (LimitNeed need : needs) {
            changedGroups.addAll(byLimit.getOrDefault(need.limit(), Set.of()));
        }
    }

    /** Marks all reasons as outdated, so that the next {@link #refreshHolds} asks for all of them. */
    void markAllOutdated() {
        changedLanes.addAll(lanes.values());
    }

    /** Asks again for the reasons that may have changed. Callers must call this before time advances. */
    void refreshHolds(long now) {
        changedLanes.addAll(heldByTick);
        for (HeldLane lane : List.copyOf(changedLanes)) {
            judge(lane, now);
        }
        changedLanes.clear();
        changedGroups.addAll(heldByRate);
        for (Group group : List.copyOf(changedGroups)) {
            judge(group, now);
        }
        changedGroups.clear();
    }

    private void judge(HeldLane lane, long now) {
        Hold found = findHold(lane);
        if (found.limit() instanceof LimitId.Local) {
            leaveGroup(lane, now);
            setHold(lane, found, now);
            addOrRemove(heldByTick, lane, found.cause() == HoldCause.RATE);
        } else {
            joinGroup(lane, now);
            heldByTick.remove(lane);
            setHold(lane.group, found, now);
            addOrRemove(heldByRate, lane.group, found.cause() == HoldCause.RATE);
        }
    }

    /**
     * Judges a group by one of its lanes. A lane that its own run now holds leaves the group, and the next one is
     * judged.
     */
    private void judge(Group group, long now) {
        for (HeldLane lane : new ArrayList<>(group.lanes)) {
            judge(lane, now);
            if (lane.inGroup) {
                return;
            }
        }
    }

    private static <T> void addOrRemove(Set<T> set, T member, boolean isMember) {
        if (isMember) {
            set.add(member);
        } else {
            set.remove(member);
        }
    }

    /** Returns the hold of a lane. A lane that no limit holds waits for a free worker. */
    private Hold findHold(HeldLane lane) {
        return holdFinder.apply(lane.units.iterator().next()).orElse(new Hold(null, HoldCause.NO_WORKER));
    }

    private void joinGroup(HeldLane lane, long now) {
        if (!lane.inGroup) {
            flush(lane, now);
            flush(lane.group, now);
            lane.group.count += lane.count;
            lane.count = 0;
            lane.inGroup = true;
            lane.group.lanes.add(lane);
        }
    }

    private void leaveGroup(HeldLane lane, long now) {
        if (lane.inGroup) {
            flush(lane.group, now);
            lane.since = now;
            lane.count = lane.units.size();
            lane.group.count -= lane.count;
            lane.inGroup = false;
            lane.group.lanes.remove(lane);
        }
    }

    private void setHold(HeldUnits held, Hold hold, long now) {
        if (!hold.equals(held.hold)) {
            flush(held, now);
            held.hold = hold;
        }
    }

    private void flush(HeldUnits held, long now) {
        long time = held.count * (now - held.since);
        held.since = now;
        if (time == 0) {
            return;
        }
        if (held.hold == null) {
            throw new IllegalStateException("expected a reason for what waits of step " + held.step + ", found none");
        }
        totals.merge(new Account(held.step, held.hold), time, Long::sum);
    }

    /** Returns the waiting times so far, in microseconds. Units that still wait count up to now. */
    Map<Account, Long> totals(long now) {
        lanes.values().forEach(lane -> flush(lane.heldUnits(), now));
        return totals;
    }

    /** Returns the number of units that wait now, by step and hold. */
    Map<Account, Integer> countsByAccount() {
        Map<Account, Integer> held = new LinkedHashMap<>();
        for (HeldLane lane : lanes.values()) {
            Hold hold = lane.heldUnits().hold;
            if (hold != null) {
                held.merge(new Account(lane.step, hold), lane.units.size(), Integer::sum);
            }
        }
        return held;
    }
}
