package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** An admission that a test steps by hand, with tickets known by name. */
final class AdmissionFixture {
    final Admission admission = new Admission();
    final Map<String, Allocation> allocations = new HashMap<>();
    private final Set<String> granted = new HashSet<>();
    long now;
    private long runs;
    private long tickets;

    record NamedSubject(String name) implements Subject {
        @Override
        public String toString() {
            return name;
        }
    }

    final class Run {
        final RunLimiter limiter;

        Run(RunLimiter limiter) {
            this.limiter = limiter;
        }

        Ticket enqueue(String name, TicketSpec spec) {
            return admission.enqueue(limiter, spec, new Ticket.Entry(new NamedSubject(name), now, tickets++, 0), now);
        }

        Ticket enqueueItem(String name, TicketSpec spec, int index) {
            return admission.enqueue(limiter, spec, new Ticket.Entry(new NamedSubject(name), now, 0, index), now);
        }
    }

    Run run(RunLimitValues limits) {
        return new Run(admission.openRun(limits, runs++, now));
    }

    Poll poll(String module, int maxTickets) {
        return admission.openPoll(new NamedSubject("poll of " + module), List.of(module), maxTickets, now);
    }

    List<String> pass() {
        List<Grant> grants = new ArrayList<>(admission.pass(now));
        while (admission.hasPendingWork()) {
            grants.addAll(admission.pass(now));
        }
        return names(grants);
    }

    List<String> passAt(long at) {
        now = at;
        return pass();
    }

    List<String> claim(Run run, Set<String> names, int max) {
        return names(admission.claim(
                run.limiter,
                Set.of("m"),
                ticket -> names.contains(ticket.subject().toString()),
                max,
                now));
    }

    private List<String> names(List<Grant> grants) {
        List<String> names = new ArrayList<>();
        for (Grant grant : grants) {
            String name = grant.allocation().subject().toString();
            names.add(name);
            granted.add(name);
            allocations.put(name, grant.allocation());
        }
        return names;
    }

    boolean isGranted(String name) {
        return granted.contains(name);
    }

    Allocation allocation(String name) {
        return Objects.requireNonNull(allocations.get(name), () -> name + " is not running");
    }

    void finish(String name) {
        admission.release(allocation(name), now);
        allocations.remove(name);
    }

    void finishAt(long at, String name) {
        now = at;
        finish(name);
    }

    void finishIfRunning(String name) {
        if (allocations.containsKey(name)) {
            finish(name);
        }
    }
}
