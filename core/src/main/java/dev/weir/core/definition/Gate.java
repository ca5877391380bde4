package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/** A person's approval that a step waits for; the note tells that person what to look at. */
public record Gate(@Nullable Template note) {}
