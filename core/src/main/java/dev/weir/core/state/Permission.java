package dev.weir.core.state;

/** A group of requests that a token may make or not. */
public enum Permission {
    /** Read runs, workflows, keys and logs. */
    READ,
    /** Start runs, and send signals to them. */
    START,
    /** Claim steps, report their results, and store their logs. */
    WORK,
    /** Register workflows. */
    REGISTER,
    /** Cancel, pause, retry and correct runs and steps. */
    OPERATE,
    /** Pin, pause and reset keys. */
    PIN,
    /** Change the limits of workflows and of the organisation. */
    MANAGE_LIMITS,
    /** Read the audit. */
    AUDIT,
    /** Create and revoke the tokens of the organisation. */
    MANAGE_TOKENS,
    /** Set and delete the secrets of the organisation. Nobody can read them. */
    MANAGE_SECRETS,
    /** Delete the data of runs for good. */
    DELETE_DATA,
    /** Administer the node: its organisations, and what concerns all of them. */
    ADMINISTER
}
