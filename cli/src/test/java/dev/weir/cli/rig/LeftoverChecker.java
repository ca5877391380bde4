package dev.weir.cli.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Checks that nothing is left of ended work, and that the planned faults really happened. */
final class LeftoverChecker {
    private LeftoverChecker() {}

    static List<String> check(Evidence evidence) {
        List<String> findings = new ArrayList<>();
        evidence.left().forEach((kind, much) -> {
            if (much != 0) {
                findings.add("left over: " + much + " " + kind);
            }
        });
        Map<Fault, Integer> seen = new EnumMap<>(Fault.class);
        for (Snare.Sprung sprung : evidence.sprung()) {
            boolean committed = sprung.fault().place == Trap.Place.ANSWERED;
            if (sprung.live() >= Snare.LIVE_MIN && sprung.answered() == committed) {
                seen.merge(sprung.fault(), 1, Integer::sum);
            } else {
                findings.add("does not count: " + sprung);
            }
        }
        for (Fault fault : Fault.values()) {
            if (seen.getOrDefault(fault, 0) < fault.times) {
                findings.add("seen " + seen.getOrDefault(fault, 0) + " times instead of " + fault.times + ": "
                        + fault.words);
            }
        }
        return findings;
    }
}
