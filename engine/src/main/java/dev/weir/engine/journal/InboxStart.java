package dev.weir.engine.journal;

import dev.weir.engine.StartRequest;

/** A start that a program has put into its own transaction. */
public record InboxStart(String org, StartRequest request) {}
