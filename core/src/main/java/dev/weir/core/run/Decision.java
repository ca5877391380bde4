package dev.weir.core.run;

import dev.weir.core.state.Move;
import java.util.List;

/** The result of a command: the caller's answer, which is valid once the moves are committed. */
public record Decision<A>(A answer, List<Move> moves) {}
