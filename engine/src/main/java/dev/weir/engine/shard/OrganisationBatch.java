package dev.weir.engine.shard;

import dev.weir.core.command.Command;
import dev.weir.core.command.EndPoll;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Decision;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One organisation's part of a pass: its messages, the moves that were decided, and the polls that receive work. */
final class OrganisationBatch {
    private static final Logger LOG = LoggerFactory.getLogger(OrganisationBatch.class);

    final String org;
    final List<Message<?>> messages = new ArrayList<>();
    /** Polls whose waiting time is over. */
    final List<ClaimMessage> over = new ArrayList<>();

    final List<Move> moves = new ArrayList<>();
    private final OpenPolls polls;
    /** The newest plans of the workflows that this batch registers. */
    private final Map<String, Plan> registered = new HashMap<>();

    /** Polls that were already open when the organisation was loaded. */
    private final List<ClaimMessage> rejoining = new ArrayList<>();

    /** Messages that wait for the next pass, because the budget of this decision is spent. */
    private final List<Message<?>> rest = new ArrayList<>();

    private List<AdvanceResult.Served> served = List.of();
    private @Nullable LoadedOrganisation resident;
    private @Nullable PlanReader reader;
    private @Nullable Message<?> inHand;
    private long now;

    OrganisationBatch(String org, OpenPolls polls) {
        this.org = org;
        this.polls = polls;
    }

    /** Reads plans that are not in memory. */
    @FunctionalInterface
    interface PlanReader {
        Plan plan(String org, String workflow, int version);
    }

    /** Removes polls that received work in the meantime, so that they do not end empty-handed. */
    void forgetServed() {
        over.removeIf(message -> !polls.waits(message));
    }

    /** Marks starts of runs that memory does not know, so that history is read before they are decided. */
    void askHistoryFirst(@Nullable LoadedOrganisation of) {
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

    /**
     * True if the batch can be decided from memory. False if a poll is over, because the commit in flight may just have
     * served it.
     */
    boolean needsNothing() {
        return over.isEmpty() && messages.stream().allMatch(message -> message.asksHistoryOf == null);
    }

    Organisation organisation() {
        return resident().organisation;
    }

    LoadedOrganisation resident() {
        if (resident == null) {
            throw new IllegalStateException("expected organisation " + org + " in memory, found nothing");
        }
        return resident;
    }

    long now() {
        return now;
    }

    /** The message that is being decided; absent between messages. */
    @Nullable
    Message<?> inHand() {
        return inHand;
    }

    /**
     * Decides all messages and then everything that is due. Commands come first, so that reports and heartbeats precede
     * expiries.
     */
    void decide(LoadedOrganisation of, PlanReader plans, long at, Watchdog watchdog) {
        watchdog.begin();
        resident = of;
        of.turn = this;
        reader = plans;
        now = at;
        if (!of.rejoined) {
            of.rejoined = true;
            rejoining.addAll(polls.of(org));
            rejoining.forEach(this::take);
        }
        for (Message<?> message : messages) {
            if (of.organisation.hasSpentItsBudget() && message.waits(this)) {
                rest.add(message);
            } else {
                take(message);
                watchdog.ended(this, message);
            }
        }
        for (ClaimMessage gone : over) {
            if (polls.leave(gone)) {
                handle(new EndPoll(gone.work.request()));
            }
        }
        AdvanceResult advance = of.organisation.advance(now);
        moves.addAll(advance.moves());
        served = advance.served();
        Set<Message<?>> left = new HashSet<>(rest);
        messages.stream().filter(message -> !left.contains(message)).forEach(message -> message.decided(this));
        watchdog.ended(this, null);
        of.turn = null;
    }

    /** Removes the messages that the budget of the decision did not allow. They come first in the next pass. */
    List<Message<?>> leaveRest() {
        if (rest.isEmpty()) {
            return List.of();
        }
        Set<Message<?>> left = new HashSet<>(rest);
        messages.removeIf(left::contains);
        for (Message<?> message : rest) {
            message.historyKnown = false;
            message.asksHistoryOf = null;
        }
        return rest;
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

    /** The responses to send once the decision is committed. */
    List<Runnable> tell() {
        List<Runnable> told = new ArrayList<>();
        rejoining.forEach(message -> told.add(message.tell(this)));
        for (Message<?> message : messages) {
            if (message.asksHistoryOf == null && !message.future.isDone()) {
                told.add(message.tell(this));
            }
        }
        for (AdvanceResult.Served one : served) {
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

    /** Keeps the registered plans for later batches, and logs runs whose deadline is near. */
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

    /** Adds the commands, grants and accepted runs of this batch to the counts. */
    void count(Map<CounterName, Long> counts) {
        counts.merge(CounterName.COMMANDS, (long) messages.size(), Long::sum);
        for (Move move : moves) {
            if (move instanceof Move.Granted) {
                counts.merge(CounterName.GRANTS, 1L, Long::sum);
            } else if (move instanceof Move.RunAccepted) {
                counts.merge(CounterName.RUNS_ACCEPTED, 1L, Long::sum);
            }
        }
    }
}
