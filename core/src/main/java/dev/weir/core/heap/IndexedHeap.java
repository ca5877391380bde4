package dev.weir.core.heap;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A four-ary heap whose members know their index, so that any of them can be moved or removed. The ranks lie side by
 * side in an array of their own: one level down the heap reads one cache line, not four objects. Most heaps never have
 * a second member, and have no arrays until then.
 */
@SuppressWarnings("ReferenceEquality") // members are compared by identity, not by equality
public final class IndexedHeap<N extends IndexedHeap.Node> {
    private static final int CHILDREN = 4;
    private static final int INITIAL_NODES = 4;
    private static final Node[] NO_NODES = {};
    private static final long[] NO_RANKS = {};

    /** A member of at most one heap at a time. */
    public abstract static class Node {
        static final int NOT_IN_HEAP = -1;

        int index = NOT_IN_HEAP;

        public final boolean inHeap() {
            return index != NOT_IN_HEAP;
        }

        /**
         * The rank; the smallest is on top. It may change only between {@code remove} and {@code add}, or before an
         * {@link IndexedHeap#update}.
         */
        protected abstract long rank();

        /** Compares nodes of equal rank by a value that survives a restart. */
        protected abstract int compareWithinRank(Node other);
    }

    /** The only member, while there are no arrays. */
    private @Nullable Node sole;

    private Node[] nodes = NO_NODES;
    private long[] ranks = NO_RANKS;
    private int size;

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    public N peek() {
        return nodes == NO_NODES || size == 0 ? (N) sole : (N) nodes[0];
    }

    /** Returns the member at this index of the array. Use it to visit all members; their order has no meaning. */
    @SuppressWarnings({"unchecked", "NullAway"}) // every index below the size has a member
    public N at(int index) {
        return nodes == NO_NODES ? (N) sole : (N) nodes[index];
    }

    public void add(N node) {
        if (node.inHeap()) {
            throw new IllegalStateException("expected a node that is in no heap, found " + node);
        }
        size++;
        if (nodes == NO_NODES && sole == null) {
            sole = node;
            node.index = 0;
            return;
        }
        if (size > nodes.length) {
            grow();
        }
        siftUp(size - 1, node, node.rank());
    }

    private void grow() {
        int length = Math.max(INITIAL_NODES, nodes.length * 2);
        nodes = Arrays.copyOf(nodes, length);
        ranks = Arrays.copyOf(ranks, length);
        if (sole != null) {
            put(0, sole, sole.rank());
            sole = null;
        }
    }

    @SuppressWarnings("NullAway") // slots beyond the size are cleared and never read
    public void remove(N node) {
        int index = node.index;
        if (index < 0 || index >= size || at(index) != node) {
            throw new IllegalStateException("expected a node of this heap, found " + node);
        }
        node.index = Node.NOT_IN_HEAP;
        size--;
        if (nodes == NO_NODES) {
            sole = null;
            return;
        }
        Node last = nodes[size];
        long rank = ranks[size];
        nodes[size] = null;
        if (last != node) {
            restoreOrder(index, last, rank);
        }
    }

    /** Moves a member to where it belongs after its rank has changed. */
    public void update(N node) {
        if (nodes != NO_NODES) {
            restoreOrder(node.index, node, node.rank());
        }
    }

    private void restoreOrder(int index, Node node, long rank) {
        siftUp(index, node, rank);
        if (node.index == index) {
            siftDown(index, node, rank);
        }
    }

    private void siftUp(int from, Node node, long rank) {
        int index = from;
        while (index > 0) {
            int parent = (index - 1) / CHILDREN;
            if (!isBefore(rank, node, parent)) {
                break;
            }
            put(index, nodes[parent], ranks[parent]);
            index = parent;
        }
        put(index, node, rank);
    }

    private void siftDown(int from, Node node, long rank) {
        int index = from;
        while (true) {
            int least = leastChild(index);
            if (least < 0 || !isBefore(ranks[least], nodes[least], rank, node)) {
                break;
            }
            put(index, nodes[least], ranks[least]);
            index = least;
        }
        put(index, node, rank);
    }

    private int leastChild(int index) {
        int first = index * CHILDREN + 1;
        if (first >= size) {
            return -1;
        }
        int least = first;
        int end = Math.min(first + CHILDREN, size);
        for (int child = first + 1; child < end; child++) {
            if (isBefore(ranks[child], nodes[child], least)) {
                least = child;
            }
        }
        return least;
    }

    private boolean isBefore(long rank, Node node, int index) {
        return isBefore(rank, node, ranks[index], nodes[index]);
    }

    private static boolean isBefore(long rank, Node node, long otherRank, Node other) {
        return rank != otherRank ? rank < otherRank : node.compareWithinRank(other) < 0;
    }

    private void put(int index, Node node, long rank) {
        nodes[index] = node;
        ranks[index] = rank;
        node.index = index;
    }
}
