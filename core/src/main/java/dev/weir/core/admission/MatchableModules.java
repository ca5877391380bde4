package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import org.jspecify.annotations.Nullable;

/**
 * The queue that matches offers with polls. Classes whose head may start wait here at their module, and so do the
 * workers that poll for it. A module that has both is hot. The hot module whose best class goes first is served next.
 */
final class MatchableModules {
    private final AdmissionRegistry registry;
    private final IndexedHeap<ModuleQueue> hot = new IndexedHeap<>();

    MatchableModules(AdmissionRegistry registry) {
        this.registry = registry;
    }

    boolean isEmpty() {
        return hot.isEmpty();
    }

    @Nullable
    ModuleQueue first() {
        return hot.peek();
    }

    /** Adds an idle class whose head may start. */
    void add(TicketClass group) {
        group.admissible = true;
        group.module.admissible.add(group);
        refresh(group.module);
    }

    void remove(TicketClass group) {
        group.admissible = false;
        group.module.admissible.remove(group);
        refresh(group.module);
    }

    /** Moves a class to where its new head belongs. */
    void rerank(TicketClass group) {
        group.module.admissible.update(group);
        refresh(group.module);
    }

    void join(Poll poll, long now) {
        for (ModuleQueue module : poll.modules) {
            module.join(poll, now);
            refresh(module);
        }
    }

    void leave(Poll poll, long now) {
        for (ModuleQueue module : poll.modules) {
            module.leave(now);
            refresh(module);
            registry.left(module);
        }
    }

    private void refresh(ModuleQueue module) {
        if (!module.hot()) {
            if (module.inHeap()) {
                hot.remove(module);
            }
        } else if (module.inHeap()) {
            hot.update(module);
        } else {
            hot.add(module);
        }
    }
}
