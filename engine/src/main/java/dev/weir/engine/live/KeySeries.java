package dev.weir.engine.live;

import java.util.ArrayList;
import java.util.List;

/**
 * The samples of one key in the last hour. Slots are numbered from 1970, one every ten seconds. They are stored in
 * chunks of ten minutes, so that a key that is rarely used occupies little memory.
 */
final class KeySeries {
    /** The number of slots that are shown: one hour. */
    static final int SLOTS_MAX = 360;

    private static final int CHUNK_SLOTS = 60;
    /** One more than an hour has, because the first and the last one are incomplete. */
    private static final int CHUNKS_MAX = SLOTS_MAX / CHUNK_SLOTS + 1;

    private static final int MINUTES = 60;
    private static final int MINUTE_SLOTS = SLOTS_MAX / MINUTES;

    private static final int VALUES = 3;
    private static final int CHUNK_BYTES = CHUNK_SLOTS * VALUES * Integer.BYTES + 16;
    /** The memory that a series occupies besides its chunks and its name, in bytes. */
    private static final int BASE_BYTES = 320;

    private static final int[] NO_CHUNK = {};

    private final int[][] chunks = new int[CHUNKS_MAX][];
    private final long[] chunkNumbers = new long[CHUNKS_MAX];
    private final int nameBytes;
    private int waiting;
    private int used;
    private long lastSlot = Long.MIN_VALUE;

    KeySeries(String key) {
        this.nameBytes = 2 * key.length();
        java.util.Arrays.fill(chunks, NO_CHUNK);
    }

    /** One sample: the steps that waited and the capacity in use at its end, and the starts within it. */
    record Sample(long slot, int waiting, int used, int started) {}

    synchronized void add(Sample sample) {
        long number = Math.floorDiv(sample.slot, CHUNK_SLOTS);
        int index = Math.floorMod(number, CHUNKS_MAX);
        waiting = sample.waiting;
        used = sample.used;
        lastSlot = Math.max(lastSlot, sample.slot);
        if (chunks[index].length == 0 || chunkNumbers[index] != number) {
            chunks[index] = new int[CHUNK_SLOTS * VALUES];
            chunkNumbers[index] = number;
        }
        int at = Math.floorMod(sample.slot, CHUNK_SLOTS) * VALUES;
        chunks[index][at] = sample.waiting;
        chunks[index][at + 1] = sample.used;
        chunks[index][at + 2] = sample.started;
    }

    /** Returns the samples up to a slot, oldest first, without the idle ones at the beginning. */
    synchronized List<Sample> samples(long last) {
        List<Sample> samples = new ArrayList<>();
        for (long slot = last - SLOTS_MAX + 1; slot <= last; slot++) {
            Sample sample = get(slot);
            if (!samples.isEmpty() || sample.waiting > 0 || sample.used > 0 || sample.started > 0) {
                samples.add(sample);
            }
        }
        return samples;
    }

    /**
     * Summarises the last hour: the most steps that waited in each minute, and the starts of the newest slots.
     *
     * @param paceSlots the number of slots whose starts are counted
     */
    synchronized KeyTrend trend(long last, int paceSlots) {
        List<Integer> waitingByMinute = new ArrayList<>(MINUTES);
        long firstMinute = Math.floorDiv(last, MINUTE_SLOTS) - MINUTES + 1;
        for (long minute = firstMinute; minute < firstMinute + MINUTES; minute++) {
            int most = 0;
            for (long slot = minute * MINUTE_SLOTS; slot < (minute + 1) * MINUTE_SLOTS; slot++) {
                most = Math.max(most, slot > last ? 0 : get(slot).waiting);
            }
            waitingByMinute.add(most);
        }
        int started = 0;
        int slots = 0;
        for (long slot = last - paceSlots + 1; slot <= last; slot++) {
            Sample sample = get(slot);
            slots += slots > 0 || sample.waiting > 0 || sample.started > 0 ? 1 : 0;
            started += sample.started;
        }
        return new KeyTrend(waitingByMinute, started, KeyHistory.INTERVAL.multipliedBy(slots));
    }

    private Sample get(long slot) {
        long number = Math.floorDiv(slot, CHUNK_SLOTS);
        int index = Math.floorMod(number, CHUNKS_MAX);
        if (chunks[index].length == 0 || chunkNumbers[index] != number) {
            return new Sample(slot, 0, 0, 0);
        }
        int at = Math.floorMod(slot, CHUNK_SLOTS) * VALUES;
        return new Sample(slot, chunks[index][at], chunks[index][at + 1], chunks[index][at + 2]);
    }

    /** Drops the chunks that are older than an hour. Returns true if nothing is left. */
    synchronized boolean removeOld(long now) {
        boolean empty = true;
        for (int i = 0; i < CHUNKS_MAX; i++) {
            if ((chunkNumbers[i] + 1) * CHUNK_SLOTS <= now - SLOTS_MAX) {
                chunks[i] = NO_CHUNK;
            }
            empty &= chunks[i].length == 0;
        }
        return empty || lastSlot <= now - SLOTS_MAX;
    }

    /** True if the key was in use, or steps waited for it, at the last sample. */
    synchronized boolean isLive() {
        return waiting > 0 || used > 0;
    }

    /** Returns a sample with the values of the last one. */
    synchronized Sample repeat(long slot, int started) {
        return new Sample(slot, waiting, used, started);
    }

    /** Assumes that the key is not in use, because this node no longer knows. */
    synchronized void forgetLevel() {
        waiting = 0;
        used = 0;
    }

    /** A measure of how busy the key was in the last hour. */
    synchronized long activity() {
        long sum = 0;
        for (int[] chunk : chunks) {
            for (int value : chunk) {
                sum += value;
            }
        }
        return sum;
    }

    synchronized long bytes() {
        long bytes = (long) BASE_BYTES + nameBytes;
        for (int[] chunk : chunks) {
            bytes += chunk.length == 0 ? 0 : CHUNK_BYTES;
        }
        return bytes;
    }
}
