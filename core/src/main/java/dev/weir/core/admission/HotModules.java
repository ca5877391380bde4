package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/**
 * Where offers and polls meet: classes whose head may start wait here at their module, and workers who ask for it. A
 * module that has both is hot; of the hot ones the one whose best class goes first is served next.
 */
final class HotModules {
    private final Registry registry;
    private final Heap<Module> hot = new Heap<>();

    HotModules(Registry registry) {
        this.registry = registry;
    }

    boolean isEmpty() {
        return hot.isEmpty();
    }

    @Nullable
    Module first() {
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

    /** Puts a class where its new head belongs. */
    void rerank(TicketClass group) {
        group.module.admissible.update(group);
        refresh(group.module);
    }

    void join(Poll poll, long now) {
        for (Module module : poll.modules) {
            module.join(poll, now);
            refresh(module);
        }
    }

    void leave(Poll poll, long now) {
        for (Module module : poll.modules) {
            module.leave(now);
            refresh(module);
            registry.left(module);
        }
    }

    private void refresh(Module module) {
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
