package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Poll;
import dev.weir.core.admission.Subject;
import dev.weir.core.command.Assignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open polls. They exist in memory only: a worker that gets no answer polls again with the same request id. */
final class PollTable {
    private final Admission admission;
    private final DemandRefresh demandRefresh;
    private final WorkerTable workers;
    private final Map<String, OpenPoll> openPolls = new HashMap<>();
    private List<OpenPoll> answered = new ArrayList<>();
    private List<DelayedPoll> delayedPolls = new ArrayList<>();

    PollTable(Admission admission, DemandRefresh demandRefresh, WorkerTable workers) {
        this.admission = admission;
        this.demandRefresh = demandRefresh;
        this.workers = workers;
    }

    /** A poll, and what it was given in the current advance. */
    static final class OpenPoll implements Subject {
        final String request;
        final String worker;
        final long lease;
        /** The modules that it polls for, each once, and the number of claims that it asks for. */
        List<String> modules = List.of();

        int limit;
        final List<Assignment> assignments = new ArrayList<>();

        @Nullable
        Poll poll;

        OpenPoll(String request, String worker, long lease) {
            this.request = request;
            this.worker = worker;
            this.lease = lease;
        }
    }

    /** A poll that came before its modules' tickets had their new needs. */
    private record DelayedPoll(OpenPoll poll, List<String> modules, int limit) {}

    boolean isOpen(String request) {
        return openPolls.containsKey(request);
    }

    /** Opens a poll for work. It gets nothing while {@link DemandRefresh} still queues tickets of its modules again. */
    void open(OpenPoll poll, List<String> modules, int limit, long now) {
        openPolls.put(poll.request, poll);
        poll.modules = modules.stream().distinct().toList();
        poll.limit = limit;
        workers.addPoll(poll, now);
        if (demandRefresh.hasPendingWork(modules)) {
            delayedPolls.add(new DelayedPoll(poll, modules, limit));
        } else {
            poll.poll = admission.openPoll(poll, modules, limit, now);
        }
    }

    /** Admits polls that had to wait for {@link DemandRefresh}. */
    @SuppressWarnings("ReferenceEquality") // a closed poll may have been opened again
    void admitDelayed(long now) {
        if (delayedPolls.isEmpty()) {
            return;
        }
        List<DelayedPoll> stillDelayed = new ArrayList<>();
        for (DelayedPoll delayed : delayedPolls) {
            if (demandRefresh.hasPendingWork(delayed.modules)) {
                stillDelayed.add(delayed);
            } else if (openPolls.get(delayed.poll.request) == delayed.poll) {
                delayed.poll.poll = admission.openPoll(delayed.poll, delayed.modules, delayed.limit, now);
            }
        }
        delayedPolls = stillDelayed;
    }

    boolean close(String request, long now) {
        OpenPoll poll = openPolls.remove(request);
        if (poll != null) {
            workers.removePoll(poll);
        }
        if (poll != null && poll.poll != null) {
            admission.endPoll(poll.poll, now);
        }
        return poll != null;
    }

    void assign(OpenPoll poll, Assignment assignment) {
        if (poll.assignments.isEmpty()) {
            answered.add(poll);
        }
        poll.assignments.add(assignment);
    }

    /** Closes every poll that was given something, and returns the answers. */
    List<AdvanceResult.AnsweredPoll> takeAnswered(long now) {
        List<AdvanceResult.AnsweredPoll> answers = new ArrayList<>(answered.size());
        for (OpenPoll poll : answered) {
            close(poll.request, now);
            answers.add(new AdvanceResult.AnsweredPoll(poll.request, poll.worker, List.copyOf(poll.assignments)));
        }
        answered = new ArrayList<>();
        return answers;
    }
}
