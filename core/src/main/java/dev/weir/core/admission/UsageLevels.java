package dev.weir.core.admission;

/** The levels of usage of a shared limit that were reported, and when its usage was high last. */
final class UsageLevels {
    static final int NONE = 0;
    static final int WARNING = 1;
    static final int CRITICAL = 2;

    private long capacityHighAt = Long.MIN_VALUE;
    private long rateHighAt = Long.MIN_VALUE;
    private byte capacityReported;
    private byte rateReported;

    void setHighAt(boolean isRate, long now) {
        if (isRate) {
            rateHighAt = now;
        } else {
            capacityHighAt = now;
        }
    }

    long highAt(boolean isRate) {
        return isRate ? rateHighAt : capacityHighAt;
    }

    int reported(boolean isRate) {
        return isRate ? rateReported : capacityReported;
    }

    void report(boolean isRate, int level) {
        if (isRate) {
            rateReported = (byte) level;
        } else {
            capacityReported = (byte) level;
        }
    }
}
