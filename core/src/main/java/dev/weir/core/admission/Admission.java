package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
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

    private final TicketQueues desk;
    private final UsageCheck usageCheck;
    private final LimitDirectory directory;

    public Admission() {
        this(OVERTAKINGS_MAX);
    }

    /** Reserves room for a ticket after another number of overtakings than usual. */
    Admission(int overtakingsMax) {
        this.desk = new TicketQueues(overtakingsMax);
        this.usageCheck = new UsageCheck(desk);
        directory = new LimitDirectory(desk);
    }

    /** Opens the limits of a run itself. {@code number} orders runs and must survive a restart. */
    public RunLimiter open(RunLimitValues limits, long number, long startedAt) {
        return new RunLimiter(limits, number, startedAt, false);
    }

    /**
     * Opens the wait point where a run itself queues to start. The run takes nothing here, so the caller can drop the
     * wait point once the run has started.
     */
    public RunLimiter openEntrance(long number) {
        return new RunLimiter(RunLimitValues.NONE, number, 0, true);
    }

    /** Closes the limits of a run that has no waiting tickets and no allocations. */
    public void close(RunLimiter run) {
        desk.agenda.schedule(run, Moment.NEVER);
    }

    public Ticket enqueue(RunLimiter run, TicketSpec spec, Ticket.Entry entry, long now) {
        return desk.enqueue(run, spec, entry, now);
    }

    /** Ends a ticket's wait because it was cancelled or skipped, or because its run has ended. */
    public void withdraw(Ticket ticket, long now) {
        desk.withdraw(ticket, now);
    }

    /** Opens a poll. The next passes grant it tickets of these modules, at most {@code places} of them. */
    public Poll poll(Subject subject, List<String> modules, int places, long now) {
        var poll = new Poll(
                subject, modules.stream().distinct().map(desk.registry::module).toList(), places);
        desk.hot.join(poll, now);
        return poll;
    }

    public void endPoll(Poll poll, long now) {
        if (poll.open()) {
            poll.close();
            desk.hot.leave(poll, now);
        }
    }

    /** True if a poll for a module would get a ticket, as far as is known without judging again. */
    public boolean couldStart(String module) {
        return desk.registry.couldStart(module);
    }

    /** Uses one place of the longest-waiting poll for a module, for a subject that needs no admission. */
    public Optional<Poll> takePlace(String module, Subject subject, long now) {
        Poll poll = desk.registry.module(module).firstPoll();
        if (poll == null) {
            return Optional.empty();
        }
        poll.give(subject);
        if (!poll.open()) {
            desk.hot.leave(poll, now);
        }
        return Optional.of(poll);
    }

    /** Grants the tickets that may start now. If {@link #pending} is true afterwards, another pass has more to do. */
    public List<Grant> pass(long now) {
        return desk.pass(now, JUDGEMENTS_MAX);
    }

    /** The total number of judgements so far. It measures work independently of the machine. */
    long judgements() {
        return desk.judgements();
    }

    /** The number of known modules: those that have tickets, or that somebody has polled for recently. */
    int modules() {
        return desk.registry.modules();
    }

    public boolean pending() {
        return desk.pending();
    }

    /** The time when the next pass is due at the latest if nothing happens until then. */
    public long nextWakeup() {
        return Math.min(desk.agenda.nextTimer(), desk.reservation.nextChange());
    }

    /**
     * Grants chosen tickets of one run to a caller that asks for exactly these. All limits apply as usual; tickets that
     * may not start stay where they are.
     */
    public List<Grant> claim(RunLimiter run, Set<String> modules, Predicate<Ticket> chosen, int most, long now) {
        desk.agenda.due(now);
        modules.forEach(module -> desk.registry.claimed(module, now));
        List<Ticket> tickets = new ArrayList<>();
        for (Lane lane : run.nextLanes(LANES_MAX)) {
            if (modules.contains(lane.spec.module()) && desk.mayStart(lane, now)) {
                lane.addOldest(tickets, chosen, most);
            }
        }
        tickets.sort(Ticket.BY_AGE);
        long load = 0;
        for (Ticket ticket : tickets) {
            if (load < Poll.LOAD_MAX && desk.granted() < most && desk.mayStart(ticket, now)) {
                desk.grant(ticket, null, now);
                load += ticket.subject().load();
            }
        }
        return desk.takeGrants();
    }

    public void release(Allocation holding, long now) {
        desk.release(holding, now);
    }

    /** Recomputes the usage of the next shared limits from live claims. Corrects what was wrong and describes it. */
    public List<String> correctLimits(long now) {
        return usageCheck.nextLimits(now);
    }

    /** Recomputes from live claims what a run has in flight. Corrects what was wrong and describes it. */
    public List<String> correct(RunLimiter run, long now) {
        return usageCheck.run(run, now);
    }

    public void pin(LimitId.Shared id, Pin pin, long now) {
        SharedLimit limit = desk.registry.limit(id);
        limit.pin(pin, now);
        desk.agenda.scheduleBy(limit, pin.nextChange(now));
        desk.agenda.changed(limit);
    }

    public void unpin(LimitId.Shared id) {
        SharedLimit limit = desk.registry.limit(id);
        limit.unpin();
        desk.agenda.changed(limit);
    }

    /** Stops new starts until {@code until}, or until {@link #resume} if that is {@link Moment#NEVER}. */
    public void pause(LimitId.Shared id, long until) {
        SharedLimit limit = desk.registry.limit(id);
        limit.pause(until);
        desk.agenda.changed(limit);
    }

    public void resume(LimitId.Shared id) {
        SharedLimit limit = desk.registry.limit(id);
        limit.resume();
        desk.agenda.changed(limit);
    }

    /** Forgets the starts that were counted against the limit's rates. */
    public void resetRate(LimitId.Shared id) {
        SharedLimit limit = desk.registry.limit(id);
        limit.resetRate();
        desk.agenda.changed(limit);
    }

    /** Sets an operator's values for a run; null clears them. */
    public void override(RunLimiter run, @Nullable RunOverrides values) {
        run.override(values);
        desk.agenda.changed(run);
    }

    public void pause(RunLimiter run) {
        run.pause(true);
    }

    public void resume(RunLimiter run) {
        run.pause(false);
        desk.agenda.changed(run);
    }

    /** Reopens a closed fan-out, so that its items can start again. */
    public void reopen(RunLimiter run, FanOutLimit items) {
        items.open();
        desk.agenda.changed(run);
    }

    /**
     * Counts a claim that was live before a restart. The caller must restore all of them before the first pass.
     *
     * @param run the run whose limits also count it; null for a run's own start (see {@link #openEntrance})
     */
    public Allocation restore(@Nullable RunLimiter run, TicketSpec spec, Ticket.Entry entry, long grantedAt) {
        TicketClass group = desk.registry.classOf(spec);
        if (group.lanes == 0) {
            desk.registry.idle(group, grantedAt);
        }
        var holding = new Allocation(run, group.shared(spec), entry, group.demands, grantedAt);
        holding.holdAgain();
        return holding;
    }

    /** Counts starts from before a restart, oldest first. Every rate that judged any of them counts all of them. */
    public void restore(List<LimitStart> starts) {
        for (LimitStart start : starts) {
            if (start.rate() != null) {
                desk.registry.limit(start.limit()).book().expect(start.rate());
            }
        }
        for (LimitStart start : starts) {
            SharedLimit limit = desk.registry.limit(start.limit());
            limit.book().restore(start);
            desk.agenda.changed(limit);
        }
    }

    /**
     * Records that the restored starts reach back only as far as the known periods need.
     *
     * @param knownFrom the time up to which starts of a limit may be missing
     * @param otherwise the same for limits that the map does not name
     */
    public void startsAreCut(Map<LimitId.Shared, Long> knownFrom, long otherwise) {
        desk.registry.missing.from(otherwise);
        for (SharedLimit limit : desk.registry.limits()) {
            limit.knownFrom(knownFrom.getOrDefault(limit.id, otherwise));
        }
    }

    /** The limits whose older starts must be read before a rate can be judged. */
    public List<LimitId.Shared> missingStarts() {
        return desk.registry.missing.wanted();
    }

    /** Counts starts of a limit that were missing, oldest first. Starts that are already known are skipped. */
    public void learn(LimitId.Shared id, List<LimitStart> older, long now) {
        SharedLimit limit = desk.registry.find(id);
        if (limit != null) {
            limit.book().learn(older, now);
            desk.registry.missing.learned(limit);
            desk.agenda.changed(limit);
        }
    }

    /** Counts a step start from before a restart against the run's ticks. The caller passes the oldest first. */
    public void restoreTick(RunLimiter run, long at) {
        run.countStart(at);
    }

    public Explanation explain(Ticket ticket, long now) {
        return Explainer.explain(ticket, desk.reservation.keptFor(ticket), now);
    }

    /**
     * The first hold that {@link #explain} would name, without a look at other waiters; empty if the ticket may start.
     */
    public Optional<Hold> refusal(Ticket ticket, long now) {
        return Optional.ofNullable(Explainer.first(ticket, desk.reservation.keptFor(ticket), now));
    }

    /** Describes what has held a waiting ticket so far. */
    public WaitRecord held(Ticket ticket, long now) {
        return ticket.lane().held(now);
    }

    /** The ticket that has the capacity reservation, if any. */
    public Optional<Ticket> reserver() {
        return Optional.ofNullable(desk.reservation.holder());
    }

    /** The tickets that have a reservation in the windows of rates, oldest first. */
    public List<Ticket> windowReservers() {
        return desk.reservation.windowHolders();
    }

    public Optional<LimitSnapshot> find(LimitId.Shared id, long now) {
        return Optional.ofNullable(desk.registry.find(id)).map(limit -> directory.view(limit, HOLDERS_SHOWN_MAX, now));
    }

    /**
     * The tickets that ask for a limit and that it refuses, oldest first. If very many wait, only the first ones found.
     */
    public List<Ticket> waitlist(LimitId.Shared id, int most, long now) {
        SharedLimit limit = desk.registry.find(id);
        return limit == null ? List.of() : Waitlist.of(limit, desk.reservation.reservers(), most, now);
    }

    /** The shared limits that are known now. */
    public LimitDirectory directory() {
        return directory;
    }
}
