package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tickets of one organisation may start. Tickets, polls, releases and operators' changes come in;
 * {@link #pass} returns the grants. A ticket is granted under all of its limits or under none, and takes nothing while
 * it waits. Every time is in microseconds (see {@link Moment}) and must not go back from one call to the next.
 */
public final class Admission {
    /** Maximum judgements in one pass. The next pass looks at the rest. */
    public static final int JUDGEMENTS_MAX = 1_024;
    /**
     * Maximum lanes that one claim of chosen steps looks at. If a run has more, the next claim continues after them.
     */
    static final int LANES_MAX = 10_000;

    /** Number of times that a ticket is overtaken before admission reserves room for it. */
    public static final int OVERTAKINGS_MAX = CapacityReservation.OVERTAKINGS_MAX;

    /** Maximum owners of allocations that a snapshot of a limit names. */
    public static final int HOLDERS_SHOWN_MAX = 200;

    private final TicketQueues queues;
    private final UsageCheck usageCheck;
    private final LimitDirectory directory;
    private final ModuleDirectory moduleDirectory;

    public Admission() {
        this(OVERTAKINGS_MAX);
    }

    /** Reserves room for a ticket after another number of overtakings than usual. */
    Admission(int overtakingsMax) {
        this.queues = new TicketQueues(overtakingsMax);
        this.usageCheck = new UsageCheck(queues);
        directory = new LimitDirectory(queues);
        moduleDirectory = new ModuleDirectory(queues);
    }

    /** Opens the limits of a run itself. {@code number} orders runs and must survive a restart. */
    public RunLimiter openRun(RunLimitValues limits, long number, long startedAt) {
        return new RunLimiter(limits, number, startedAt, false);
    }

    /**
     * Opens the wait point where a run itself queues to start. The run takes nothing here, so the caller can drop the
     * wait point once the run has started.
     */
    public RunLimiter openStartQueue(long number) {
        return new RunLimiter(RunLimitValues.NONE, number, 0, true);
    }

    /** Closes the limits of a run that has no waiting tickets and no allocations. */
    public void closeRun(RunLimiter run) {
        queues.dirtyQueue.schedule(run, Moment.NEVER);
    }

    public Ticket enqueue(RunLimiter run, TicketSpec spec, Ticket.Entry entry, long now) {
        return queues.enqueue(run, spec, entry, now);
    }

    /** Ends a ticket's wait because it was cancelled or skipped, or because its run has ended. */
    public void withdraw(Ticket ticket, long now) {
        queues.withdraw(ticket, now);
    }

    /** Opens a poll. The next passes grant it tickets of these modules, at most {@code maxTickets} of them. */
    public Poll openPoll(Subject subject, List<String> modules, int maxTickets, long now) {
        var poll = new Poll(
                subject,
                modules.stream().distinct().map(queues.registry::module).toList(),
                maxTickets);
        queues.matchableModules.addPoll(poll, now);
        return poll;
    }

    public void endPoll(Poll poll, long now) {
        if (poll.isOpen()) {
            poll.close();
            queues.matchableModules.removePoll(poll, now);
        }
    }

    /** True if a poll for a module would get a ticket, as far as is known without judging again. */
    public boolean hasAdmissible(String module) {
        return queues.registry.hasAdmissible(module);
    }

    /** Uses one place of the longest-waiting poll for a module, for a subject that needs no admission. */
    public Optional<Poll> assignToPoll(String module, Subject subject, long now) {
        Poll poll = queues.registry.module(module).firstPoll();
        if (poll == null) {
            return Optional.empty();
        }
        poll.assign(subject);
        if (!poll.isOpen()) {
            queues.matchableModules.removePoll(poll, now);
        }
        return Optional.of(poll);
    }

    /** Grants the tickets that may start now. If {@link #hasPendingWork} is true afterwards, another pass has more to do. */
    public List<Grant> pass(long now) {
        queues.registry.runKeyPins.expire(now).forEach(this::markRunKeysDirty);
        return queues.pass(now, JUDGEMENTS_MAX);
    }

    /** The total number of judgements so far. It measures work independently of the machine. */
    long judgements() {
        return queues.judgements();
    }

    /** The number of known modules: those that have tickets, or that somebody has polled for recently. */
    int modules() {
        return queues.registry.modules();
    }

    public boolean hasPendingWork() {
        return queues.hasPendingWork();
    }

    /** The time when the next pass is due at the latest if nothing happens until then. */
    public long nextWakeup() {
        return Math.min(
                Math.min(queues.dirtyQueue.nextTimer(), queues.reservation.nextChange()),
                queues.registry.runKeyPins.nextChange());
    }

    /**
     * Grants chosen tickets of one run to a caller that asks for exactly these. All limits apply as usual; tickets that
     * may not start stay where they are.
     */
    public List<Grant> claim(RunLimiter run, Set<String> modules, Predicate<Ticket> chosen, int max, long now) {
        queues.dirtyQueue.markDue(now);
        modules.forEach(module -> queues.registry.recordClaim(module, now));
        List<Ticket> tickets = new ArrayList<>();
        for (Lane lane : run.nextLanes(LANES_MAX)) {
            if (modules.contains(lane.spec.module()) && queues.canStart(lane, now)) {
                lane.addOldest(tickets, chosen, max);
            }
        }
        tickets.sort(Ticket.BY_AGE);
        long responseSize = 0;
        for (Ticket ticket : tickets) {
            if (responseSize < Poll.RESPONSE_SIZE_MAX && queues.grantCount() < max && queues.canStart(ticket, now)) {
                queues.grant(ticket, null, now);
                responseSize += ticket.subject().responseSize();
            }
        }
        return queues.takeGrants();
    }

    public void release(Allocation allocation, long now) {
        queues.release(allocation, now);
    }

    /** Recomputes the usage of the next shared limits from live claims. Corrects what was wrong and describes it. */
    public List<String> correctLimits(long now) {
        return usageCheck.checkNextLimits(now);
    }

    /** Recomputes from live claims what a run has in flight. Corrects what was wrong and describes it. */
    public List<String> correctRun(RunLimiter run, long now) {
        return usageCheck.checkRun(run, now);
    }

    public void pin(LimitId.Shared id, Pin pin, long now) {
        SharedLimit limit = queues.registry.limit(id);
        limit.pin(pin, now);
        limit.demands().forEach(demand -> queues.registry.crossings.record(demand, now));
        queues.dirtyQueue.scheduleBy(limit, pin.nextChange(now));
        queues.dirtyQueue.markDirty(limit);
    }

    public void unpin(LimitId.Shared id) {
        SharedLimit limit = queues.registry.limit(id);
        limit.unpin();
        queues.dirtyQueue.markDirty(limit);
    }

    /** Sets an operator's value for each run key of a workflow. A pin on one of them takes precedence. */
    public void pinRunKeys(String workflow, OperatorSetting<Integer> parallelism, long now) {
        queues.registry.runKeyPins.set(workflow, parallelism, now);
        markRunKeysDirty(workflow);
    }

    private void markRunKeysDirty(String workflow) {
        for (SharedLimit limit : queues.registry.limits()) {
            if (limit.parkedCount > 0
                    && limit.id instanceof LimitId.RunKey key
                    && key.workflow().equals(workflow)) {
                queues.dirtyQueue.markDirty(limit);
            }
        }
    }

    /** Stops new starts until {@code until}, or until {@link #resume} if that is {@link Moment#NEVER}. */
    public void pause(LimitId.Shared id, long until) {
        SharedLimit limit = queues.registry.limit(id);
        limit.pause(until);
        queues.dirtyQueue.markDirty(limit);
    }

    public void resume(LimitId.Shared id) {
        SharedLimit limit = queues.registry.limit(id);
        limit.resume();
        queues.dirtyQueue.markDirty(limit);
    }

    /** Forgets the starts that were counted against the limit's rates. */
    public void resetRate(LimitId.Shared id) {
        SharedLimit limit = queues.registry.limit(id);
        limit.resetRate();
        queues.dirtyQueue.markDirty(limit);
    }

    /** Sets an operator's values for a run; null clears them. */
    public void setOverrides(RunLimiter run, @Nullable RunOverrides values) {
        run.setOverrides(values);
        queues.dirtyQueue.markDirty(run);
    }

    public void pause(RunLimiter run) {
        run.setPaused(true);
    }

    public void resume(RunLimiter run) {
        run.setPaused(false);
        queues.dirtyQueue.markDirty(run);
    }

    /** Reopens a closed fan-out, so that its items can start again. */
    public void reopen(RunLimiter run, FanOutLimit items) {
        items.reopen();
        queues.dirtyQueue.markDirty(run);
    }

    /** Watches the usage of shared limits for notices. */
    public UsageWatch usageWatch() {
        return new UsageWatch(queues.registry);
    }

    /**
     * Counts a claim that was live before a restart. The caller must restore all of them before the first pass.
     *
     * @param run the run whose limits also count it; null for a run's own start (see {@link #openStartQueue})
     */
    public Allocation restore(@Nullable RunLimiter run, TicketSpec spec, Ticket.Entry entry, long grantedAt) {
        TicketClass ticketClass = queues.registry.classOf(spec);
        if (ticketClass.laneCount == 0) {
            queues.registry.markIdle(ticketClass, grantedAt);
        }
        var allocation = new Allocation(run, ticketClass.intern(spec), entry, ticketClass, grantedAt);
        allocation.restore();
        return allocation;
    }

    /** Counts starts from before a restart, oldest first. Every rate that judged any of them counts all of them. */
    public void restore(List<LimitStart> starts) {
        for (LimitStart start : starts) {
            if (start.rate() != null) {
                queues.registry.limit(start.limit()).rateTracker().track(start.rate());
            }
        }
        for (LimitStart start : starts) {
            SharedLimit limit = queues.registry.limit(start.limit());
            limit.restore(start);
            queues.dirtyQueue.markDirty(limit);
        }
    }

    /**
     * Records that the restored starts reach back only as far as the known periods need.
     *
     * @param knownFrom the time up to which starts of a limit may be missing
     * @param defaultKnownFrom the same for limits that the map does not name
     */
    public void markStartsTruncated(Map<LimitId.Shared, Long> knownFrom, long defaultKnownFrom) {
        queues.registry.missingStarts.setKnownFrom(defaultKnownFrom);
        for (SharedLimit limit : queues.registry.limits()) {
            limit.setKnownFrom(knownFrom.getOrDefault(limit.id, defaultKnownFrom));
        }
    }

    /** The limits whose older starts must be read before a rate can be judged. */
    public List<LimitId.Shared> limitsMissingStarts() {
        return queues.registry.missingStarts.requested();
    }

    /** Counts starts of a limit that were missing, oldest first. Starts that are already known are skipped. */
    public void addMissingStarts(LimitId.Shared id, List<LimitStart> older, long now) {
        SharedLimit limit = queues.registry.findLimit(id);
        if (limit != null) {
            limit.rateTracker().addMissingStarts(older, now);
            queues.registry.missingStarts.resolve(limit);
            queues.dirtyQueue.markDirty(limit);
        }
    }

    /** Counts a step start from before a restart against the run's ticks. The caller passes the oldest first. */
    public void restoreTickStart(RunLimiter run, long at) {
        run.countStart(at);
    }

    public Explanation explain(Ticket ticket, long now) {
        return Explainer.explain(ticket, queues.reservation.isReserver(ticket), now);
    }

    /** The first hold that {@link #explain} would name, without a look at other waiters; empty if there is none. */
    public Optional<Hold> firstHold(Ticket ticket, long now) {
        return Optional.ofNullable(Explainer.firstHold(ticket, queues.reservation.isReserver(ticket), now));
    }

    /** Explains why a ticket with these demands would not start now. The ticket queues only while it is judged. */
    public Explanation explainStart(TicketSpec spec, long now) {
        var nobody = new Subject() {
            @Override
            public boolean isLive(Allocation other) {
                return false;
            }
        };
        RunLimiter entrance = openStartQueue(Long.MAX_VALUE);
        Ticket ticket = queues.enqueue(entrance, spec, new Ticket.Entry(nobody, now, Long.MAX_VALUE, 0), now);
        Explanation explanation = explain(ticket, now);
        queues.withdraw(ticket, now);
        closeRun(entrance);
        return explanation;
    }

    /**
     * The time at which the limits that refuse a waiting ticket could admit one like it, as far as they know by
     * themselves. The cost does not depend on other waiters. {@link Moment#NEVER} if only others can free room.
     */
    public long nextCheck(Ticket ticket, long now) {
        long next = now;
        for (SharedDemand demand : ticket.lane().ticketClass.demands) {
            if (!demand.limit.judge(demand, ticket, now).admits()) {
                next = Math.max(next, demand.nextRoomAt(now));
            }
        }
        return next;
    }

    /** The number of waiting tickets that need a limit. */
    public int waitingFor(LimitId.Shared id) {
        SharedLimit limit = queues.registry.findLimit(id);
        return limit == null ? 0 : limit.waitingCount;
    }

    /** Describes what has held a waiting ticket so far. */
    public WaitRecord waitRecord(Ticket ticket, long now) {
        return ticket.lane().waitRecord(now);
    }

    /** The ticket that has the capacity reservation, if any. */
    public Optional<Ticket> reserver() {
        return Optional.ofNullable(queues.reservation.reserver());
    }

    /** The tickets that have a reservation in the windows of rates, oldest first. */
    public List<Ticket> windowReservers() {
        return queues.reservation.windowReservers();
    }

    public Optional<LimitSnapshot> findLimit(LimitId.Shared id, long now) {
        return Optional.ofNullable(queues.registry.findLimit(id))
                .map(limit -> directory.snapshot(limit, HOLDERS_SHOWN_MAX, now));
    }

    /**
     * The tickets that ask for a limit and that it refuses, oldest first. If very many wait, only the first ones found.
     */
    public List<Ticket> waitlist(LimitId.Shared id, int max, long now) {
        SharedLimit limit = queues.registry.findLimit(id);
        return limit == null ? List.of() : Waitlist.of(limit, queues.reservation.reservers(), max, now);
    }

    /** The shared limits that are known now. */
    public LimitDirectory directory() {
        return directory;
    }

    /** The modules that have tickets, allocations or polls now. */
    public ModuleDirectory moduleDirectory() {
        return moduleDirectory;
    }
}
