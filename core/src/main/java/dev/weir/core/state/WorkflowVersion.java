package dev.weir.core.state;

/**
 * The newest registered version of a workflow.
 *
 * @param version the version, from 1
 * @param hash the hash of its content
 */
public record WorkflowVersion(int version, String hash) {}
