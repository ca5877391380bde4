package dev.weir.core.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** An admission that a test steps by hand, with tickets known by name. */
final class Bench {
    final Admission admission = new Admission();
    final Map<String, Allocation> holdings = new HashMap<>();
    private final Set<String> granted = new HashSet<>();
    long now;
    private long runs;
    private long tickets;

    record Named(String name) implements Subject {
        @Override
        public String toString() {
            return name;
        }
    }

    final class Run {
        final RunLimiter gate;

        Run(RunLimiter gate) {
            this.gate = gate;
        }

        Ticket ready(String name, TicketSpec spec) {
            return admission.enqueue(gate, spec, new Ticket.Entry(new Named(name), now, tickets++, 0), now);
        }

        Ticket readyItem(String name, TicketSpec spec, int index) {
            return admission.enqueue(gate, spec, new Ticket.Entry(new Named(name), now, 0, index), now);
        }
    }

    Run run(RunLimitValues limits) {
        return new Run(admission.open(limits, runs++, now));
    }

    Poll poll(String module, int places) {
        return admission.poll(new Named("poll of " + module), List.of(module), places, now);
    }

    List<String> pass() {
        List<Grant> grants = new ArrayList<>(admission.pass(now));
        while (admission.pending()) {
            grants.addAll(admission.pass(now));
        }
        return names(grants);
    }

    List<String> passAt(long at) {
        now = at;
        return pass();
    }

    List<String> claim(Run run, Set<String> names, int most) {
        return names(admission.claim(
                run.gate, Set.of("m"), ticket -> names.contains(ticket.subject().toString()), most, now));
    }

    private List<String> names(List<Grant> grants) {
        List<String> names = new ArrayList<>();
        for (Grant grant : grants) {
            String name = grant.holding().subject().toString();
            names.add(name);
            granted.add(name);
            holdings.put(name, grant.holding());
        }
        return names;
    }

    boolean granted(String name) {
        return granted.contains(name);
    }

    Allocation holding(String name) {
        return Objects.requireNonNull(holdings.get(name), () -> name + " is not running");
    }

    void finish(String name) {
        admission.release(holding(name), now);
        holdings.remove(name);
    }

    void finishAt(long at, String name) {
        now = at;
        finish(name);
    }

    void finishIfRunning(String name) {
        if (holdings.containsKey(name)) {
            finish(name);
        }
    }
}
