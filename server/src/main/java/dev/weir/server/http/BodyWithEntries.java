package dev.weir.server.http;

import java.util.List;

/**
 * A body with a list whose entries are read one by one.
 *
 * @param body the body without the list
 * @param entries the entries of the list; empty if the body has no list
 */
public record BodyWithEntries<T, E>(T body, List<BatchEntry<E>> entries) {}
