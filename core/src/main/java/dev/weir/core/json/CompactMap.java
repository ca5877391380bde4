package dev.weir.core.json;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of one JSON object, in insertion order. Most objects have few fields, and many objects stay in memory for
 * long. A few fields lie side by side in one array and are searched linearly; more of them are hashed.
 */
final class CompactMap extends AbstractMap<String, JsonNode> {
    /** Maximum fields for a linear search. */
    static final int FEW = 12;

    private static final Object[] NONE = {};

    /** Names and values, alternating; empty if the fields are hashed. */
    private @Nullable Object[] slots = NONE;

    private int size;
    private @Nullable Map<String, JsonNode> many;

    private int find(@Nullable Object name) {
        for (int i = 0; i < size; i++) {
            if (nameAt(i).equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private String nameAt(int place) {
        return (String) Objects.requireNonNull(slots[2 * place]);
    }

    private JsonNode valueAt(int place) {
        return (JsonNode) Objects.requireNonNull(slots[2 * place + 1]);
    }

    @Override
    public int size() {
        return many == null ? size : many.size();
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return many == null ? find(name) >= 0 : many.containsKey(name);
    }

    @Override
    public @Nullable JsonNode get(@Nullable Object name) {
        if (many != null) {
            return many.get(name);
        }
        int place = find(name);
        return place < 0 ? null : valueAt(place);
    }

    @Override
    public @Nullable JsonNode put(String name, JsonNode value) {
        if (many != null) {
            return many.put(name, value);
        }
        int place = find(name);
        if (place >= 0) {
            JsonNode before = valueAt(place);
            slots[2 * place + 1] = value;
            return before;
        }
        if (size == FEW) {
            Map<String, JsonNode> hashed = new LinkedHashMap<>(this);
            hashed.put(name, value);
            clear();
            many = hashed;
            return null;
        }
        if (2 * size == slots.length) {
            slots = Arrays.copyOf(slots, 2 * (size + Math.max(1, size / 2)));
        }
        slots[2 * size] = name;
        slots[2 * size + 1] = value;
        size++;
        return null;
    }

    @Override
    public @Nullable JsonNode remove(@Nullable Object name) {
        if (many != null) {
            return many.remove(name);
        }
        int place = find(name);
        return place < 0 ? null : removeAt(place);
    }

    private JsonNode removeAt(int place) {
        JsonNode removed = valueAt(place);
        System.arraycopy(slots, 2 * place + 2, slots, 2 * place, 2 * (size - place - 1));
        size--;
        slots[2 * size] = null;
        slots[2 * size + 1] = null;
        return removed;
    }

    @Override
    public void clear() {
        slots = NONE;
        size = 0;
        many = null;
    }

    /** Iterates over the fields. */
    private final class Each<T> implements Iterator<T> {
        private final IntFunction<T> at;
        private int next;

        private Each(IntFunction<T> at) {
            this.at = at;
        }

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public T next() {
            if (next >= size) {
                throw new NoSuchElementException("expected another field, found the end");
            }
            return at.apply(next++);
        }

        @Override
        public void remove() {
            removeAt(--next);
        }
    }

    /** A view of the fields. It is created on each call, so that objects keep no reference to one. */
    private final class View<T> extends AbstractSet<T> {
        private final IntFunction<T> at;

        private View(IntFunction<T> at) {
            this.at = at;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<T> iterator() {
            return new Each<>(at);
        }
    }

    @Override
    public Set<String> keySet() {
        return many == null ? new View<>(this::nameAt) : many.keySet();
    }

    @Override
    public Set<Map.Entry<String, JsonNode>> entrySet() {
        return many == null ? new View<>(Field::new) : many.entrySet();
    }

    @Override
    public Collection<JsonNode> values() {
        if (many != null) {
            return many.values();
        }
        return new AbstractCollection<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<JsonNode> iterator() {
                return new Each<>(CompactMap.this::valueAt);
            }
        };
    }

    /** One field. A value set through it is set in the object. */
    private final class Field extends SimpleEntry<String, JsonNode> {
        private static final long serialVersionUID = 1;

        private final int place;

        private Field(int place) {
            super(nameAt(place), valueAt(place));
            this.place = place;
        }

        @Override
        public JsonNode setValue(JsonNode value) {
            slots[2 * place + 1] = value;
            return super.setValue(value);
        }
    }
}
