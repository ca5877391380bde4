package dev.weir.engine.shard;

/**
 * How long it takes to decide about a message, and to write what was decided. While a batch is written, the next one can
 * grow: it has to be ready when that one is, and no sooner. Whoever decides too early about too little keeps all who ask
 * meanwhile waiting for one more commit.
 */
final class Pace {
    /** How much what was seen last counts. */
    private static final double WEIGHT = 0.25;
    /** Time that is kept in hand, in microseconds. */
    static final long IN_HAND = 300;

    private double decideMicros;
    private double writeMicros;

    void decided(int messages, long micros) {
        decideMicros = after(decideMicros, messages, micros);
    }

    void written(int messages, long micros) {
        writeMicros = after(writeMicros, messages, micros);
    }

    private static double after(double before, int messages, long micros) {
        if (messages == 0) {
            return before;
        }
        double seen = (double) micros / messages;
        return before == 0 ? seen : before + WEIGHT * (seen - before);
    }

    /**
     * Whether more messages can be waited for without being late.
     *
     * @param waiting messages that wait to be decided
     * @param beingWritten messages of the batch that is being written
     * @param micros for how long it has been
     */
    boolean leavesTime(int waiting, int beingWritten, long micros) {
        return micros + waiting * decideMicros + IN_HAND < beingWritten * writeMicros;
    }
}
