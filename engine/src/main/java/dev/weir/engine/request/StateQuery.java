package dev.weir.engine.request;

import dev.weir.core.run.Organisation;

/** A read-only query on an organisation in memory. It must change nothing, and must keep no reference to it. */
@FunctionalInterface
public interface StateQuery<T> {
    T evaluate(Organisation org, long now);
}
