package dev.weir.engine.records;

import dev.weir.core.state.Move;
import java.time.Instant;

/**
 * A start from the inbox that could not be carried out.
 *
 * @param number sequence number, which grows with each refusal
 * @param run id that the run would have had
 * @param by database user that left it, as the store knows it
 */
public record RefusedStart(
        long number,
        String run,
        String workflow,
        Move.StartRefused.Reason why,
        String message,
        String by,
        Instant at) {}
