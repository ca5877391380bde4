package dev.weir.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * A hash table of the classes by the needs of their tickets. The hashes lie side by side, so a lookup among many
 * classes reads two cache lines besides the class itself. A library map would read its entry and the whole key.
 */
@SuppressWarnings("ReferenceEquality") // classes are compared by identity
final class TicketClassTable {
    private static final int INITIAL_SLOTS = 16;

    /** Slots, as many as hashes: a power of two, more than half of them empty. */
    private @Nullable TicketClass[] slots = new TicketClass[INITIAL_SLOTS];

    private int[] hashes = new int[INITIAL_SLOTS];
    private int size;

    @Nullable
    TicketClass find(TicketSpec spec) {
        int hash = spec.classHash();
        for (int i = homeSlot(hash); ; i = nextSlot(i)) {
            TicketClass found = slots[i];
            if (found == null || (hashes[i] == hash && found.spec.sameClass(spec))) {
                return found;
            }
        }
    }

    /** Adds a class that is not in the table. */
    void add(TicketClass ticketClass) {
        if (2 * (size + 1) > slots.length) {
            grow();
        }
        size++;
        put(ticketClass, ticketClass.spec.classHash());
    }

    private void put(TicketClass ticketClass, int hash) {
        int i = homeSlot(hash);
        while (slots[i] != null) {
            i = nextSlot(i);
        }
        slots[i] = ticketClass;
        hashes[i] = hash;
    }

    private void grow() {
        @Nullable TicketClass[] oldSlots = slots;
        int[] oldHashes = hashes;
        slots = new TicketClass[2 * oldSlots.length];
        hashes = new int[2 * oldSlots.length];
        for (int i = 0; i < oldSlots.length; i++) {
            TicketClass ticketClass = oldSlots[i];
            if (ticketClass != null) {
                put(ticketClass, oldHashes[i]);
            }
        }
    }

    /** Removes a class that is in the table. Classes that it had displaced are inserted again. */
    void remove(TicketClass ticketClass) {
        int i = homeSlot(ticketClass.spec.classHash());
        while (slots[i] != ticketClass) {
            i = nextSlot(i);
        }
        slots[i] = null;
        size--;
        i = nextSlot(i);
        for (TicketClass next = slots[i]; next != null; next = slots[i]) {
            slots[i] = null;
            put(next, hashes[i]);
            i = nextSlot(i);
        }
    }

    /** The preferred slot of a hash. It mixes in the upper bits. */
    private int homeSlot(int hash) {
        return (hash ^ (hash >>> 16)) & (slots.length - 1);
    }

    private int nextSlot(int slot) {
        return (slot + 1) & (slots.length - 1);
    }
}
