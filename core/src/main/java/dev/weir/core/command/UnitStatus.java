package dev.weir.core.command;

import dev.weir.core.state.StepState;

/**
 * The facts about a step or item that decide what becomes of a report.
 *
 * @param fence the fence of the newest claim
 * @param highestFence the highest fence that a claim of the unit can have had
 * @param claimed true if the newest claim is live
 * @param reported true if a report came under the newest fence
 * @param reportFingerprint the fingerprint of that report
 * @param hasSecrets true if the unit was given secrets
 */
public record UnitStatus(
        StepState state,
        long fence,
        long highestFence,
        boolean claimed,
        boolean reported,
        int reportFingerprint,
        boolean hasSecrets) {}
