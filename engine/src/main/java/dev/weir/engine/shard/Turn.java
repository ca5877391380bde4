package dev.weir.engine.shard;

import dev.weir.core.life.Advance;
import dev.weir.core.life.Command;
import dev.weir.core.life.Decision;
import dev.weir.core.life.EndPoll;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Plan;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One organisation's part of a pass: what is asked of it, what was decided, and whom that serves. */
final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    final String org;
    final List<Message<?>> messages = new ArrayList<>();
    /** Workers that have waited long enough. */
    final List<ClaimMessage> over = new ArrayList<>();

    final List<Move> moves = new ArrayList<>();
    private final OpenPolls polls;
    /** Plans of the workflows of which this turn registers a version: the newest of each. */
    private final Map<String, Plan> registered = new HashMap<>();

    /** Workers that have waited since before the organisation was read. */
    private final List<ClaimMessage> rejoining = new ArrayList<>();

    private List<Advance.Served> served = List.of();
    private @Nullable Resident resident;
    private @Nullable PlanReader reader;
    private @Nullable Message<?> inHand;
    private long now;

    Turn(String org, OpenPolls polls) {
        this.org = org;
        this.polls = polls;
    }

    /** Reads plans that are not at hand. */
    @FunctionalInterface
    interface PlanReader {
        Plan plan(String org, String workflow, int version);
    }

    /** Those who were served meanwhile do not go away with nothing. */
    void forgetServed() {
        over.removeIf(message -> !polls.waits(message));
    }

    /** Asks history for runs that memory knows nothing of before they are started. */
    void askHistoryFirst(@Nullable Resident of) {
        for (Message<?> message : messages) {
            if (message instanceof StartMessage start && start.left == null && !start.historyKnown && start.fits()) {
                String run = start.request.run();
                boolean known = of != null
                        && (of.organisation.findRun(run).isPresent()
                                || of.organisation.findEnded(run).isPresent());
                start.asksHistoryOf = known ? null : run;
            }
        }
    }

    /** Whether it can be decided with what is in memory; nobody goes away who might just be served. */
    boolean needsNothing() {
        return over.isEmpty() && messages.stream().allMatch(message -> message.asksHistoryOf == null);
    }

    Organisation organisation() {
        return resident().organisation;
    }

    Resident resident() {
        if (resident == null) {
            throw new IllegalStateException("expected organisation " + org + " in memory, found nothing");
        }
        return resident;
    }

    long now() {
        return now;
    }

    /** The message whose rule is being followed; absent while none is. */
    @Nullable
    Message<?> inHand() {
        return inHand;
    }

    /** Decides everything: commands first, so that reports and heartbeats come before expiries; then what is due. */
    void decide(Resident of, PlanReader plans, long at) {
        resident = of;
        of.turn = this;
        reader = plans;
        now = at;
        if (!of.rejoined) {
            of.rejoined = true;
            rejoining.addAll(polls.of(org));
            rejoining.forEach(this::take);
        }
        messages.forEach(this::take);
        for (ClaimMessage gone : over) {
            if (polls.leave(gone)) {
                handle(new EndPoll(gone.work.request()));
            }
        }
        Advance advance = of.organisation.advance(now);
        moves.addAll(advance.moves());
        served = advance.served();
        of.turn = null;
    }

    private void take(Message<?> message) {
        if (!message.future.isDone()) {
            inHand = message;
            message.decide(this);
            inHand = null;
        }
    }

    <A> A handle(Command<A> command) {
        Decision<A> decision = organisation().handle(command, now);
        for (Move move : decision.moves()) {
            moves.add(move);
            if (move instanceof Move.WorkflowRegistered added) {
                registered.put(added.workflow().name(), Plan.of(added.workflow(), added.version()));
            }
        }
        return decision.answer();
    }

    void waits(ClaimMessage message) {
        polls.open(message);
    }

    List<ClaimMessage> close(String request) {
        return polls.close(org, request);
    }

    /** Everybody who is to be told something, once the decision is committed. */
    List<Runnable> tell() {
        List<Runnable> told = new ArrayList<>();
        rejoining.forEach(message -> told.add(message.tell(this)));
        for (Message<?> message : messages) {
            if (message.asksHistoryOf == null && !message.future.isDone()) {
                told.add(message.tell(this));
            }
        }
        for (Advance.Served one : served) {
            for (ClaimMessage caller : close(one.request())) {
                told.add(() -> caller.future.complete(one.assignments()));
            }
        }
        over.forEach(message -> told.add(() -> message.future.complete(List.of())));
        return told;
    }

    boolean knowsNothingOf(String run) {
        return organisation().findRun(run).isEmpty()
                && organisation().findEnded(run).isEmpty();
    }

    Plan plan(String workflow, int version) {
        Plan own = registered.get(workflow);
        if (own != null && own.version() == version) {
            return own;
        }
        Plan known = resident().findPlan(workflow, version);
        if (known == null) {
            known = read(workflow, version);
            resident().keep(known);
        }
        return known;
    }

    private Plan read(String workflow, int version) {
        if (reader == null) {
            throw new IllegalStateException("expected a turn under way for organisation " + org + ", found none");
        }
        return reader.plan(org, workflow, version);
    }

    /** What was registered is there for later turns too. */
    void committed() {
        registered.values().forEach(resident()::keep);
        resident().touchedAt = now;
        for (Move move : moves) {
            if (move instanceof Move.DeadlineNear near) {
                LOG.warn(
                        "run {} of organisation {}: four fifths of its time are over, its deadline is at {}",
                        near.run(),
                        org,
                        Moment.toInstant(near.deadlineAt()));
            }
        }
    }

    /** Adds what it has done. */
    void count(Map<Count, Long> counts) {
        counts.merge(Count.COMMANDS, (long) messages.size(), Long::sum);
        for (Move move : moves) {
            if (move instanceof Move.Granted) {
                counts.merge(Count.GRANTS, 1L, Long::sum);
            } else if (move instanceof Move.RunAccepted) {
                counts.merge(Count.RUNS_ACCEPTED, 1L, Long::sum);
            }
        }
    }
}
