package dev.weir.engine.work;

import dev.weir.core.life.ConcurrencyProfile;

/**
 * A module that a worker serves.
 *
 * @param id what steps name in {@code uses}
 * @param profile what its steps ask of their run where they do not say themselves
 */
public record ModuleInfo(String id, String name, String version, ConcurrencyProfile profile) {
    public static ModuleInfo of(String id) {
        return new ModuleInfo(id, id, "1", ConcurrencyProfile.DEFAULT);
    }
}
