package dev.weir.core.life;

import java.util.List;

/** What time and free places led to. */
public record Advance(List<Served> served, List<Move> moves) {
    /** A poll that is answered, and over. */
    public record Served(String request, String worker, List<Assignment> assignments) {}
}
