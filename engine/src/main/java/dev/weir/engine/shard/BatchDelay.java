package dev.weir.engine.shard;

/**
 * Decides how long the next batch may grow while the previous one is being written, from measured times per message.
 * The next batch should be ready exactly when that write ends. If it is decided too early, messages that arrive later
 * wait for one more commit.
 */
final class BatchDelay {
    /** The weight of the newest measurement in the average. */
    private static final double WEIGHT = 0.25;
    /** The safety factor for the time to decide. An idle store costs more than a commit with fewer messages. */
    static final double LONGER = 1.5;
    /** The additional safety margin, in microseconds. */
    static final long IN_HAND = 300;

    /** The smallest batch that is measured. The fixed cost of a commit dominates smaller ones. */
    static final int MESSAGES_MIN = Mailbox.AHEAD_MIN;
    /** The largest growth factor of one measurement over the average, so that a store that hung does not distort it. */
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
     * True if the loop can wait for more messages and still decide them before the write ends.
     *
     * @param waiting number of messages that wait for a decision
     * @param beingWritten number of messages in the batch that is being written
     * @param micros microseconds since that write began
     */
    boolean leavesTime(int waiting, int beingWritten, long micros) {
        return micros + LONGER * waiting * decideMicros + IN_HAND < beingWritten * writeMicros;
    }
}
