package dev.weir.engine;

import dev.weir.core.life.Organisation;

/** Reads something of an organisation; it changes nothing, and keeps nothing of it. */
@FunctionalInterface
public interface Look<T> {
    T at(Organisation org, long now);
}
