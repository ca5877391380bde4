package dev.weir.engine.shard;

/**
 * Decides how long the next batch may grow while the previous one is being written, from measured times per message.
 * The next batch should be ready exactly when that write ends. If it is decided too early, messages that arrive later
 * wait for one more commit.
 */
final class BatchDelay {
    /** The weight of the newest measurement in the average. */
    private static final double NEWEST_WEIGHT = 0.25;
    /** The safety factor for the time to decide. An idle store costs more than a commit with fewer messages. */
    static final double DECIDE_SAFETY_FACTOR = 1.5;
    /** The additional safety margin, in microseconds. */
    static final long SAFETY_MARGIN_MICROS = 300;

    /** The smallest batch that is measured. The fixed cost of a commit dominates smaller ones. */
    static final int MEASURED_MESSAGES_MIN = Mailbox.DECIDE_AHEAD_MIN;
    /** The largest growth factor of one measurement over the average, so that a store that hung does not distort it. */
    private static final double GROWTH_MAX = 4;

    private double decideMicros;
    private double writeMicros;

    void recordDecision(int messages, long micros) {
        decideMicros = updateAverage(decideMicros, messages, micros);
    }

    void recordWrite(int messages, long micros) {
        writeMicros = updateAverage(writeMicros, messages, micros);
    }

    private static double updateAverage(double average, int messages, long micros) {
        if (messages < MEASURED_MESSAGES_MIN) {
            return average;
        }
        double perMessage = (double) micros / messages;
        return average == 0
                ? perMessage
                : average + NEWEST_WEIGHT * (Math.min(perMessage, GROWTH_MAX * average) - average);
    }

    /**
     * True if the loop can wait for more messages and still decide them before the write ends.
     *
     * @param waiting number of messages that wait for a decision
     * @param beingWritten number of messages in the batch that is being written
     * @param micros microseconds since that write began
     */
    boolean canWait(int waiting, int beingWritten, long micros) {
        return micros + DECIDE_SAFETY_FACTOR * waiting * decideMicros + SAFETY_MARGIN_MICROS
                < beingWritten * writeMicros;
    }
}
