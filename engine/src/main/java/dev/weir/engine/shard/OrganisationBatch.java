package dev.weir.engine.shard;

import dev.weir.core.command.Command;
import dev.weir.core.command.EndPoll;
import dev.weir.core.command.RecordDifference;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Decision;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Attribution;
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
    final List<ClaimMessage> expiredPolls = new ArrayList<>();

    final List<Move> moves = new ArrayList<>();
    private final OpenPolls polls;
    /** The newest plans of the workflows that this batch registers. */
    private final Map<String, Plan> registered = new HashMap<>();

    /** Polls that were already open when the organisation was loaded. */
    private final List<ClaimMessage> reopenedPolls = new ArrayList<>();

    /** Messages that wait for the next pass, because the budget of this decision is spent. */
    private final List<Message<?>> deferred = new ArrayList<>();

    private List<AdvanceResult.AnsweredPoll> served = List.of();
    private @Nullable LoadedOrganisation loadedOrg;
    private @Nullable PlanReader planReader;
    private @Nullable Message<?> currentMessage;
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
    void removeServedPolls() {
        expiredPolls.removeIf(message -> !polls.isOpen(message));
    }

    /** Marks starts of runs that memory does not know, so that history is read before they are decided. */
    void requestHistory(@Nullable LoadedOrganisation target) {
        for (Message<?> message : messages) {
            if (message instanceof StartMessage start
                    && start.inboxStart == null
                    && !start.historyRead
                    && start.hasValidId()) {
                String run = start.request.run();
                boolean known = target != null
                        && (target.organisation.findRun(run).isPresent()
                                || target.organisation.findEnded(run).isPresent());
                start.runToLookUp = known ? null : run;
            }
        }
    }

    /**
     * True if the batch can be decided from memory. False if a poll is over, because the commit in flight may just have
     * served it.
     */
    boolean needsNoRead() {
        return expiredPolls.isEmpty()
                && messages.stream().allMatch(message -> message.runToLookUp == null)
                && eventsToLookUp().isEmpty();
    }

    /** The events whose ids must be looked up before they are decided. */
    List<EventMessage> eventsToLookUp() {
        List<EventMessage> events = new ArrayList<>();
        for (Message<?> message : messages) {
            if (message instanceof EventMessage event && event.idToLookUp() != null) {
                events.add(event);
            }
        }
        return events;
    }

    Organisation organisation() {
        return loadedOrg().organisation;
    }

    LoadedOrganisation loadedOrg() {
        if (loadedOrg == null) {
            throw new IllegalStateException("expected organisation " + org + " in memory, found nothing");
        }
        return loadedOrg;
    }

    long now() {
        return now;
    }

    /** The message that is being decided; absent between messages. */
    @Nullable
    Message<?> currentMessage() {
        return currentMessage;
    }

    /**
     * Decides all messages and then everything that is due. Commands come first, so that reports and heartbeats precede
     * expiries.
     */
    void decide(LoadedOrganisation target, PlanReader plans, long at, Watchdog watchdog) {
        watchdog.begin();
        loadedOrg = target;
        target.currentBatch = this;
        planReader = plans;
        now = at;
        if (!target.pollsReopened) {
            target.pollsReopened = true;
            reopenedPolls.addAll(polls.of(org));
            reopenedPolls.forEach(this::decideMessage);
        }
        if (target.differed) {
            target.differed = false;
            boolean unused = handle(new RecordDifference());
        }
        for (Message<?> message : messages) {
            if (target.organisation.isBudgetSpent() && message.canDefer(this)) {
                deferred.add(message);
            } else {
                decideMessage(message);
                watchdog.recordEnd(this, message);
            }
        }
        for (ClaimMessage expired : expiredPolls) {
            if (polls.remove(expired)) {
                handle(new EndPoll(expired.work.request()));
            }
        }
        AdvanceResult advance = target.organisation.advance(now);
        moves.addAll(advance.moves());
        served = advance.answeredPolls();
        Set<Message<?>> deferredSet = new HashSet<>(deferred);
        messages.stream()
                .filter(message -> !deferredSet.contains(message))
                .forEach(message -> message.refreshAnswer(this));
        watchdog.recordEnd(this, null);
        target.currentBatch = null;
    }

    /** Removes the messages that the budget of the decision did not allow. They come first in the next pass. */
    List<Message<?>> removeDeferred() {
        if (deferred.isEmpty()) {
            return List.of();
        }
        Set<Message<?>> deferredSet = new HashSet<>(deferred);
        messages.removeIf(deferredSet::contains);
        for (Message<?> message : deferred) {
            message.forgetHistory();
        }
        return deferred;
    }

    private void decideMessage(Message<?> message) {
        if (!message.future.isDone()) {
            currentMessage = message;
            message.decide(this);
            currentMessage = null;
        }
    }

    /** Decides a command of Weir itself. */
    <A> A handle(Command<A> command) {
        return handle(command, Attribution.WEIR);
    }

    <A> A handle(Command<A> command, Attribution by) {
        Decision<A> decision = organisation().handle(command, by, now);
        for (Move move : decision.moves()) {
            moves.add(move);
            if (move instanceof Move.WorkflowRegistered added) {
                registered.put(added.workflow().name(), Plan.of(added.workflow(), added.version()));
            }
        }
        return decision.answer();
    }

    void openPoll(ClaimMessage message) {
        polls.open(message);
    }

    List<ClaimMessage> closePolls(String request) {
        return polls.close(org, request);
    }

    /** The responses to send once the decision is committed. */
    List<Runnable> prepareResponses() {
        List<Runnable> responses = new ArrayList<>();
        reopenedPolls.forEach(message -> responses.add(message.prepareResponse(this)));
        for (Message<?> message : messages) {
            if (message.runToLookUp == null && !message.future.isDone()) {
                responses.add(message.prepareResponse(this));
            }
        }
        for (AdvanceResult.AnsweredPoll one : served) {
            for (ClaimMessage caller : closePolls(one.request())) {
                responses.add(() -> caller.future.complete(one.assignments()));
            }
        }
        expiredPolls.forEach(message -> responses.add(() -> message.future.complete(List.of())));
        return responses;
    }

    boolean isUnknownRun(String run) {
        return organisation().findRun(run).isEmpty()
                && organisation().findEnded(run).isEmpty();
    }

    Plan plan(String workflow, int version) {
        Plan registeredPlan = registered.get(workflow);
        if (registeredPlan != null && registeredPlan.version() == version) {
            return registeredPlan;
        }
        Plan known = loadedOrg().findPlan(workflow, version);
        if (known == null) {
            known = readPlan(workflow, version);
            organisation().charge(known.readUnits());
            loadedOrg().keepPlan(known);
        }
        return known;
    }

    private Plan readPlan(String workflow, int version) {
        if (planReader == null) {
            throw new IllegalStateException("expected a batch in progress for organisation " + org + ", found none");
        }
        return planReader.plan(org, workflow, version);
    }

    /** Keeps the registered plans for later batches, and logs runs whose deadline is near. */
    void recordCommit() {
        registered.values().forEach(loadedOrg()::keepPlan);
        loadedOrg().lastCommitAt = now;
        for (Move move : moves) {
            if (move instanceof Move.DeadlineNear near) {
                LOG.warn(
                        "Run {} of organisation {} has used four fifths of its time; its deadline is {}",
                        near.run(),
                        org,
                        Moment.toInstant(near.deadlineAt()));
            }
        }
    }

    /** Adds the commands, grants and accepted runs of this batch to the counts. */
    void addCounts(Map<CounterName, Long> counts) {
        counts.merge(CounterName.COMMANDS, (long) messages.size(), Long::sum);
        for (Move move : moves) {
            if (move instanceof Move.Granted) {
                counts.merge(CounterName.GRANTS, 1L, Long::sum);
            } else if (move instanceof Move.RunAccepted) {
                counts.merge(CounterName.RUNS_ACCEPTED, 1L, Long::sum);
            } else if (move instanceof Move.DeadLettered) {
                counts.merge(CounterName.DEAD_LETTERS, 1L, Long::sum);
            } else if (move instanceof Move.NoticeOpened) {
                counts.merge(CounterName.NOTICES, 1L, Long::sum);
            }
        }
    }
}
