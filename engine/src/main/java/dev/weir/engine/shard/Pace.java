package dev.weir.engine.shard;

/**
 * How long it takes to decide about a message, and to write what was decided. While a batch is written, the next one can
 * grow: it has to be ready when that one is, and no sooner. Whoever decides too early about too little keeps all who ask
 * meanwhile waiting for one more commit.
 */
final class Pace {
    /** How much what was seen last counts. */
    private static final double WEIGHT = 0.25;
    /** How much longer than lately it may take to decide: a store that waits costs more than a commit that takes less along. */
    static final double LONGER = 1.5;
    /** Time that is kept in hand besides, in microseconds. */
    static final long IN_HAND = 300;

    /** Batches of less say little of a message: a commit takes its time, whatever is in it. */
    static final int MESSAGES_MIN = Mailbox.AHEAD_MIN;
    /** What is seen counts as so many times what was seen before at the most, as a store that hung is no measure. */
    private static final double GROWTH_MAX = 4;

    private double decideMicros;
    private double writeMicros;

    void decided(int messages, long micros) {
        decideMicros = after(decideMicros, messages, micros);
    }

    void written(int messages, long micros) {
        writeMicros = after(writeMicros, messages, micros);
    }

    private static double after(double before, int messages, long micros) {
        if (messages < MESSAGES_MIN) {
            return before;
        }
        double seen = (double) micros / messages;
        return before == 0 ? seen : before + WEIGHT * (Math.min(seen, GROWTH_MAX * before) - before);
    }

    /**
     * Whether more messages can be waited for without being late.
     *
     * @param waiting messages that wait to be decided
     * @param beingWritten messages of the batch that is being written
     * @param micros for how long it has been
     */
    boolean leavesTime(int waiting, int beingWritten, long micros) {
        return micros + LONGER * waiting * decideMicros + IN_HAND < beingWritten * writeMicros;
    }
}
