package dev.weir.core.limit;

/** How a rate counts its starts. */
public enum Window {
    /** At most the rate in any stretch of time as long as the period. */
    SLIDING,
    /** At most the rate in each window; a window is opened by its first start and lasts one period. */
    FIXED
}
