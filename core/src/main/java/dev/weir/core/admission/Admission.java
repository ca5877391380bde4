package dev.weir.core.admission;

import static java.util.Comparator.reverseOrder;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may start, for one organisation. Tickets, polls, releases and operators' changes come in; {@link #pass} says who
 * starts. A ticket is granted under all of its limits or under none, and holds nothing while it waits. Every time is in
 * microseconds (see {@link Moment}) and must not go back from one call to the next.
 */
public final class Admission {
    /** Judgements in one pass; what is left is looked at in the next. */
    public static final int JUDGEMENTS_MAX = 1_024;
    /** Lanes that one claim of chosen steps looks at; of a run with more, the next claim looks at the next. */
    static final int LANES_MAX = 10_000;

    /** How often a ticket is overtaken before room is kept for it. */
    public static final int OVERTAKINGS_MAX = Reservation.OVERTAKINGS_MAX;

    /** Holders that are named of a limit that is looked at. */
    public static final int HOLDERS_SHOWN_MAX = 200;

    private final Desk desk;

    public Admission() {
        this(OVERTAKINGS_MAX);
    }

    /** Keeps room for a ticket sooner or later than usual. */
    Admission(int overtakingsMax) {
        this.desk = new Desk(overtakingsMax);
    }

    /** Opens the local level of a run; {@code number} orders runs and must survive a restart. */
    public RunGate open(RunLimits limits, long number, long startedAt) {
        return new RunGate(limits, number, startedAt, false);
    }

    /** Opens the place at which a run itself comes in. Once it is in, nothing of it is held, and it can be forgotten. */
    public RunGate openEntrance(long number) {
        return new RunGate(RunLimits.NONE, number, 0, true);
    }

    /** Ends the local level of a run of which nothing waits or is held. */
    public void close(RunGate run) {
        desk.agenda.schedule(run, Moment.NEVER);
    }

    public Ticket enqueue(RunGate run, TicketSpec spec, Ticket.Entry entry, long now) {
        return desk.enqueue(run, spec, entry, now);
    }

    /** Ends a ticket's wait: it was cancelled, skipped, or its run has ended. */
    public void withdraw(Ticket ticket, long now) {
        desk.withdraw(ticket, now);
    }

    /** Opens a poll: it is given tickets of these modules, as many as asked for at the most, in the passes to come. */
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

    /** Whether a poll for a module would be given something, as far as is known without judging again. */
    public boolean couldStart(String module) {
        return desk.registry.couldStart(module);
    }

    /** Uses a place of the poll that has waited longest for a module, for something that need not be admitted. */
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

    /** Grants what may start now. If {@link #pending} afterwards, another pass has more to do. */
    public List<Grant> pass(long now) {
        return desk.pass(now, JUDGEMENTS_MAX);
    }

    /** How often something was looked at, all in all: a measure of work that no machine changes. */
    long judgements() {
        return desk.judgements();
    }

    /** How many modules are known, because something of them is there or somebody has polled for them lately. */
    int modules() {
        return desk.registry.modules();
    }

    public boolean pending() {
        return desk.pending();
    }

    /** When, at the latest, the next pass is due if nothing happens until then. */
    public long nextWakeup() {
        return Math.min(desk.agenda.nextTimer(), desk.reservation.nextChange());
    }

    /**
     * Grants tickets of one run to somebody who asks for just these. All limits hold as ever; what may not start stays
     * where it is.
     */
    public List<Grant> claim(RunGate run, Set<String> modules, Predicate<Ticket> chosen, int most, long now) {
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

    public void release(Holding holding, long now) {
        desk.release(holding, now);
    }

    public void pin(LimitId.Shared id, Pin pin) {
        SharedLimit limit = desk.registry.limit(id);
        limit.pin(pin);
        desk.agenda.scheduleBy(limit, pin.until());
        desk.agenda.changed(limit);
    }

    public void unpin(LimitId.Shared id) {
        SharedLimit limit = desk.registry.limit(id);
        limit.unpin();
        desk.agenda.changed(limit);
    }

    /** Stops new starts until {@code until}, or until it is resumed where that is {@link Moment#NEVER}. */
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
    public void override(RunGate run, RunGate.@Nullable Overrides values) {
        run.override(values);
        desk.agenda.changed(run);
    }

    public void pause(RunGate run) {
        run.pause(true);
    }

    public void resume(RunGate run) {
        run.pause(false);
        desk.agenda.changed(run);
    }

    /** Lets items of a fan-out start again that was closed. */
    public void reopen(RunGate run, FanOut items) {
        items.open();
        desk.agenda.changed(run);
    }

    /**
     * Counts a claim that was live before a restart. To be done for all of them before the first pass.
     *
     * @param run where it counts besides the shared limits; absent for what came in at an entrance
     */
    public Holding restore(@Nullable RunGate run, TicketSpec spec, Ticket.Entry entry, long grantedAt) {
        TicketClass group = desk.registry.classOf(spec);
        if (group.lanes == 0) {
            desk.registry.idle(group, grantedAt);
        }
        var holding = new Holding(run, group.shared(spec), entry, group.demands, grantedAt);
        holding.holdAgain();
        return holding;
    }

    /** Counts starts from before a restart, oldest first; every rate that they were judged by counts all of them. */
    public void restore(List<Start> starts) {
        for (Start start : starts) {
            if (start.rate() != null) {
                desk.registry.limit(start.limit()).book().expect(start.rate());
            }
        }
        for (Start start : starts) {
            SharedLimit limit = desk.registry.limit(start.limit());
            limit.book().restore(start);
            desk.agenda.changed(limit);
        }
    }

    /** Counts a start of a run's steps from before a restart against its ticks; oldest first. */
    public void restoreTick(RunGate run, long at) {
        run.countStart(at);
    }

    public Explanation explain(Ticket ticket, long now) {
        return Explainer.explain(ticket, desk.reservation.keptFor(ticket), now);
    }

    /** The first of what {@link #explain} would say, without looking at who else waits; nothing if it may start. */
    public Optional<Refusal> refusal(Ticket ticket, long now) {
        return Optional.ofNullable(Explainer.first(ticket, desk.reservation.keptFor(ticket), now));
    }

    /** What has kept a ticket that waits. */
    public Held held(Ticket ticket, long now) {
        return ticket.lane().held(now);
    }

    /** The ticket that room is kept for, if any. */
    public Optional<Ticket> reserver() {
        return Optional.ofNullable(desk.reservation.holder());
    }

    public Optional<LimitView> find(LimitId.Shared id, long now) {
        return Optional.ofNullable(desk.registry.find(id)).map(limit -> view(limit, HOLDERS_SHOWN_MAX, now));
    }

    /** Those that wait and are parked at a limit, oldest first; of very many the first that are found. */
    public List<Ticket> waitlist(LimitId.Shared id, int most) {
        SharedLimit limit = desk.registry.find(id);
        return limit == null ? List.of() : Waitlist.of(limit, most);
    }

    /** Flow-control keys in the order of their names, after the given one. Each name is looked at, few are looked into. */
    public List<LimitView> keys(String prefix, String after, int most, long now) {
        var first = new PriorityQueue<SharedLimit>(most + 1, Comparator.comparing(limit -> limit.id, reverseOrder()));
        for (SharedLimit limit : desk.registry.limits()) {
            if (limit.id instanceof LimitId.Key key
                    && key.name().startsWith(prefix)
                    && key.name().compareTo(after) > 0) {
                first.add(limit);
                if (first.size() > most) {
                    first.remove();
                }
            }
        }
        return first.stream()
                .sorted(Comparator.comparing(limit -> limit.id))
                .map(limit -> view(limit, 0, now))
                .toList();
    }

    /** How many flow-control keys there are, and how much waits for and holds them. */
    public Totals totals() {
        int keys = 0;
        long waiting = 0;
        long used = 0;
        for (SharedLimit limit : desk.registry.limits()) {
            if (limit.id instanceof LimitId.Key) {
                keys++;
                waiting += limit.waiting;
                used += limit.used();
            }
        }
        return new Totals(keys, waiting, used);
    }

    /** Sums over all flow-control keys; what needs two keys is counted at both. */
    public record Totals(int keys, long waiting, long used) {}

    /** Every shared limit that is known, in the order of its id. */
    public List<LimitView> limits(long now) {
        return desk.registry.limits().stream()
                .sorted((one, other) -> one.id.compareTo(other.id))
                .map(limit -> view(limit, Integer.MAX_VALUE, now))
                .toList();
    }

    private static LimitView view(SharedLimit limit, int holders, long now) {
        // What an operator has set is shown while nobody asks for the limit, too.
        Pin pin = limit.pin();
        int parallelism = pin == null || pin.parallelism() == null ? 0 : pin.parallelism();
        Rate rate = pin == null ? null : pin.rate();
        RateUsage usage = limit.pinnedUsage();
        for (Demand demand : limit.demands()) {
            parallelism = Math.max(parallelism, limit.parallelism(demand));
            Rate own = limit.rate(demand.need);
            if (own != null && (rate == null || own.count() > rate.count())) {
                rate = own;
                usage = limit.usage(demand);
            }
        }
        return new LimitView(
                limit.id,
                limit.waiting,
                limit.used(),
                parallelism == 0 || parallelism == Need.UNLIMITED ? null : (Integer) parallelism,
                rate,
                usage == null ? 0 : usage.used(now),
                usage == null ? now : usage.windowStart(now),
                limit.paused(now),
                pin,
                limit.holders().subjects(holders));
    }
}
