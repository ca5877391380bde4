package dev.weir.engine.work;

import dev.weir.core.plan.ConcurrencyProfile;

/**
 * A module that a worker serves.
 *
 * @param id name that steps give in {@code uses}
 * @param profile default demands of its steps on the limits of their run
 */
public record ModuleInfo(String id, String name, String version, ConcurrencyProfile profile) {
    public static ModuleInfo of(String id) {
        return new ModuleInfo(id, id, "1", ConcurrencyProfile.DEFAULT);
    }
}
