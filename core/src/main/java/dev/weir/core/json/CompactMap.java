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
    static final int LINEAR_SEARCH_MAX = 12;

    private static final Object[] EMPTY = {};

    /** Names and values, alternating; empty if the fields are hashed. */
    private @Nullable Object[] slots = EMPTY;

    private int size;
    private @Nullable Map<String, JsonNode> hashedFields;

    private int find(@Nullable Object name) {
        for (int i = 0; i < size; i++) {
            if (nameAt(i).equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private String nameAt(int index) {
        return (String) Objects.requireNonNull(slots[2 * index]);
    }

    private JsonNode valueAt(int index) {
        return (JsonNode) Objects.requireNonNull(slots[2 * index + 1]);
    }

    @Override
    public int size() {
        return hashedFields == null ? size : hashedFields.size();
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return hashedFields == null ? find(name) >= 0 : hashedFields.containsKey(name);
    }

    @Override
    public @Nullable JsonNode get(@Nullable Object name) {
        if (hashedFields != null) {
            return hashedFields.get(name);
        }
        int index = find(name);
        return index < 0 ? null : valueAt(index);
    }

    @Override
    public @Nullable JsonNode put(String name, JsonNode value) {
        if (hashedFields != null) {
            return hashedFields.put(name, value);
        }
        int index = find(name);
        if (index >= 0) {
            JsonNode previous = valueAt(index);
            slots[2 * index + 1] = value;
            return previous;
        }
        if (size == LINEAR_SEARCH_MAX) {
            Map<String, JsonNode> hashed = new LinkedHashMap<>(this);
            hashed.put(name, value);
            clear();
            hashedFields = hashed;
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
        if (hashedFields != null) {
            return hashedFields.remove(name);
        }
        int index = find(name);
        return index < 0 ? null : removeAt(index);
    }

    private JsonNode removeAt(int index) {
        JsonNode removed = valueAt(index);
        System.arraycopy(slots, 2 * index + 2, slots, 2 * index, 2 * (size - index - 1));
        size--;
        slots[2 * size] = null;
        slots[2 * size + 1] = null;
        return removed;
    }

    @Override
    public void clear() {
        slots = EMPTY;
        size = 0;
        hashedFields = null;
    }

    /** Iterates over the fields. */
    private final class FieldIterator<T> implements Iterator<T> {
        private final IntFunction<T> element;
        private int next;

        private FieldIterator(IntFunction<T> element) {
            this.element = element;
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
            return element.apply(next++);
        }

        @Override
        public void remove() {
            removeAt(--next);
        }
    }

    /** A view of the fields. It is created on each call, so that objects keep no reference to one. */
    private final class View<T> extends AbstractSet<T> {
        private final IntFunction<T> element;

        private View(IntFunction<T> element) {
            this.element = element;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<T> iterator() {
            return new FieldIterator<>(element);
        }
    }

    @Override
    public Set<String> keySet() {
        return hashedFields == null ? new View<>(this::nameAt) : hashedFields.keySet();
    }

    @Override
    public Set<Map.Entry<String, JsonNode>> entrySet() {
        return hashedFields == null ? new View<>(Field::new) : hashedFields.entrySet();
    }

    @Override
    public Collection<JsonNode> values() {
        if (hashedFields != null) {
            return hashedFields.values();
        }
        return new AbstractCollection<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Iterator<JsonNode> iterator() {
                return new FieldIterator<>(CompactMap.this::valueAt);
            }
        };
    }

    /** One field. A value set through it is set in the object. */
    private final class Field extends SimpleEntry<String, JsonNode> {
        private static final long serialVersionUID = 1;

        private final int index;

        private Field(int index) {
            super(nameAt(index), valueAt(index));
            this.index = index;
        }

        @Override
        public JsonNode setValue(JsonNode value) {
            slots[2 * index + 1] = value;
            return super.setValue(value);
        }
    }
}
