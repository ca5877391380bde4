package dev.weir.engine.journal;

import dev.weir.core.state.Move;
import java.util.List;
import java.util.Map;

/** The moves of one pass, by organisation, ready to be written. A store may have prepared the rows already. */
public interface PreparedWrites {
    /** The age in microseconds, by the store's clock, that a decision may have when it is written. */
    long AGE_MAX = 500_000;

    Map<String, List<Move>> moves();

    /** Returns writes without any preparation. */
    static PreparedWrites of(Map<String, List<Move>> moves) {
        return () -> moves;
    }
}
