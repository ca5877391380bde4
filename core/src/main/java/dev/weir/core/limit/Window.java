package dev.weir.core.limit;

/** The way in which a rate counts its starts. */
public enum Window {
    /** At most the rate in any stretch of time as long as the period. */
    SLIDING,
    /** At most the rate in each window. The first start opens a window, which lasts one period. */
    FIXED
}
