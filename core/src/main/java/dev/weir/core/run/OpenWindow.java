package dev.weir.core.run;

import dev.weir.core.state.DebounceWindow;

/** A debounce window that waits for its end. */
final class OpenWindow extends Timer {
    DebounceWindow window;

    OpenWindow(DebounceWindow window) {
        this.window = window;
    }

    @Override
    long tieBreaker() {
        return window.number();
    }

    @Override
    int item() {
        return Integer.MIN_VALUE;
    }
}
