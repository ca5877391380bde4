package dev.weir.engine.journal;

import dev.weir.core.life.Move;
import java.util.List;
import java.util.Map;

/** What was decided in one pass, by organisation, on its way into a store; a store may have made rows of it already. */
public interface Draft {
    /** How old a decision may be by the store's clock when it is written, in microseconds. */
    long AGE_MAX = 500_000;

    Map<String, List<Move>> moves();

    /** Of which nothing is made before it is written. */
    static Draft of(Map<String, List<Move>> moves) {
        return () -> moves;
    }
}
