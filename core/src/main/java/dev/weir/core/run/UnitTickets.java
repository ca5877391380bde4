package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Ticket;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.LimitNeeds;

/** Queues steps and items for their limits. */
final class UnitTickets {
    private final Admission admission;
    private final ModuleDefaults moduleDefaults;

    UnitTickets(Admission admission, ModuleDefaults moduleDefaults) {
        this.admission = admission;
        this.moduleDefaults = moduleDefaults;
    }

    void enqueue(Unit unit, long now) {
        unit.ticket = admission.enqueue(unit.run().limiter(), spec(unit), unit.entry(), now);
    }

    /** Returns the ticket spec of a unit, according to the current defaults of its module. */
    private TicketSpec spec(Unit unit) {
        RunStep step = unit.step();
        String module = step.planned.module();
        ConcurrencyProfile profile = module == null ? null : moduleDefaults.find(module);
        LimitNeeds needs = profile == null ? unit.limitNeeds() : step.applyProfile(unit.limitNeeds(), profile);
        return unit.detail.runNow() ? step.specFor(needs.withRunNowPriority()) : step.spec(needs);
    }

    /** Queues a waiting unit again if its needs have changed. It keeps its age. Returns false if they are the same. */
    boolean refresh(Unit unit, long now) {
        Ticket ticket = unit.ticket;
        if (ticket == null || ticket.spec().equals(spec(unit))) {
            return false;
        }
        admission.withdraw(ticket, now);
        enqueue(unit, now);
        return true;
    }
}
