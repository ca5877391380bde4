package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import org.jspecify.annotations.Nullable;

/**
 * The queue that matches offers with polls. Classes whose head may start wait here at their module, and so do the
 * workers that poll for it. A module that has both is matchable. The matchable module whose best class goes first is served next.
 */
final class MatchableModules {
    private final AdmissionRegistry registry;
    private final IndexedHeap<ModuleQueue> matchable = new IndexedHeap<>();

    MatchableModules(AdmissionRegistry registry) {
        this.registry = registry;
    }

    boolean isEmpty() {
        return matchable.isEmpty();
    }

    @Nullable
    ModuleQueue first() {
        return matchable.peek();
    }

    /** Adds an idle class whose head may start. */
    void add(TicketClass ticketClass) {
        ticketClass.admissible = true;
        ticketClass.module.admissible.add(ticketClass);
        refresh(ticketClass.module);
    }

    void remove(TicketClass ticketClass) {
        ticketClass.admissible = false;
        ticketClass.module.admissible.remove(ticketClass);
        refresh(ticketClass.module);
    }

    /** Moves a class to where its new head belongs. */
    void rerank(TicketClass ticketClass) {
        ticketClass.module.admissible.update(ticketClass);
        refresh(ticketClass.module);
    }

    void addPoll(Poll poll, long now) {
        for (ModuleQueue module : poll.modules) {
            module.addPoll(poll, now);
            refresh(module);
        }
    }

    void removePoll(Poll poll, long now) {
        for (ModuleQueue module : poll.modules) {
            module.recordPollEnd(now);
            refresh(module);
            registry.queueIfUnused(module);
        }
    }

    private void refresh(ModuleQueue module) {
        if (!module.isMatchable()) {
            if (module.inHeap()) {
                matchable.remove(module);
            }
        } else if (module.inHeap()) {
            matchable.update(module);
        } else {
            matchable.add(module);
        }
    }
}
