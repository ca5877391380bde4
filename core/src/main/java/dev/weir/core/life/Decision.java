package dev.weir.core.life;

import java.util.List;

/** What a command led to: the caller's answer, valid once the moves are committed. */
public record Decision<A>(A answer, List<Move> moves) {}
