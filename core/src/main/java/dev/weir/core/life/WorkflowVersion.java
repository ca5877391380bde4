package dev.weir.core.life;

/**
 * The newest version of a workflow that is registered.
 *
 * @param version from 1 on
 * @param hash of its content
 */
public record WorkflowVersion(int version, String hash) {}
