package dev.weir.core.life;

import dev.weir.core.definition.CancelPolicy;

/**
 * That a run is on its way to its end: nothing more of it starts, save what runs in any case.
 *
 * @param as what it ends as
 * @param policy what becomes of the steps that are running
 * @param reason why, in words
 */
public record Ending(RunState as, CancelPolicy policy, String reason, long at) {}
