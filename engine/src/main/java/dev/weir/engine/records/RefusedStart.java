package dev.weir.engine.records;

import dev.weir.core.life.Move;
import java.time.Instant;

/**
 * A start that a program has left in its own transaction, and that could not be carried out.
 *
 * @param number grows from one to the next
 * @param run the id that the run would have had
 * @param by who left it, as the store knows them
 */
public record RefusedStart(
        long number, String run, String workflow, Move.StartRefused.Why why, String message, String by, Instant at) {}
