package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/** A wait for a person's approval. The note tells that person what to check. */
public record ApprovalGate(@Nullable Template note) {}
