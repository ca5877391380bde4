package dev.weir.engine.records;

/** A filter for what an operation on many things is about. */
public sealed interface BulkFilter permits RunFilter, DeadLetterFilter {}
