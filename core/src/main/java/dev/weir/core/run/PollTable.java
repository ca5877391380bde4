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
    private final DemandRefresh askingAnew;
    private final Map<String, OpenPoll> open = new HashMap<>();
    private List<OpenPoll> served = new ArrayList<>();
    private List<Early> early = new ArrayList<>();

    PollTable(Admission admission, DemandRefresh askingAnew) {
        this.admission = admission;
        this.askingAnew = askingAnew;
    }

    /** A poll, and what it was given in the current advance. */
    static final class OpenPoll implements Subject {
        final String request;
        final String worker;
        final long lease;
        final List<Assignment> given = new ArrayList<>();

        @Nullable
        Poll poll;

        OpenPoll(String request, String worker, long lease) {
            this.request = request;
            this.worker = worker;
            this.lease = lease;
        }
    }

    /** A poll that came before its modules' tickets had their new needs. */
    private record Early(OpenPoll poll, List<String> modules, int limit) {}

    boolean waits(String request) {
        return open.containsKey(request);
    }

    /** Opens a poll for work. It gets nothing while {@link DemandRefresh} still queues tickets of its modules again. */
    void join(OpenPoll poll, List<String> modules, int limit, long now) {
        open.put(poll.request, poll);
        if (askingAnew.unfinished(modules)) {
            early.add(new Early(poll, modules, limit));
        } else {
            poll.poll = admission.poll(poll, modules, limit, now);
        }
    }

    /** Admits polls that had to wait for {@link DemandRefresh}. */
    @SuppressWarnings("ReferenceEquality") // a closed poll may have been opened again
    void letIn(long now) {
        if (early.isEmpty()) {
            return;
        }
        List<Early> tooEarly = new ArrayList<>();
        for (Early one : early) {
            if (askingAnew.unfinished(one.modules)) {
                tooEarly.add(one);
            } else if (open.get(one.poll.request) == one.poll) {
                one.poll.poll = admission.poll(one.poll, one.modules, one.limit, now);
            }
        }
        early = tooEarly;
    }

    boolean leave(String request, long now) {
        OpenPoll poll = open.remove(request);
        if (poll != null && poll.poll != null) {
            admission.endPoll(poll.poll, now);
        }
        return poll != null;
    }

    void give(OpenPoll poll, Assignment assignment) {
        if (poll.given.isEmpty()) {
            served.add(poll);
        }
        poll.given.add(assignment);
    }

    /** Closes every poll that was given something, and returns the answers. */
    List<AdvanceResult.Served> takeServed(long now) {
        List<AdvanceResult.Served> answers = new ArrayList<>(served.size());
        for (OpenPoll poll : served) {
            leave(poll.request, now);
            answers.add(new AdvanceResult.Served(poll.request, poll.worker, List.copyOf(poll.given)));
        }
        served = new ArrayList<>();
        return answers;
    }
}
