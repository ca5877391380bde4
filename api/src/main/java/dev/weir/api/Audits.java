package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Responses about the audit. */
public final class Audits {
    private Audits() {}

    /**
     * A change by a person or a token.
     *
     * @param number the position in the chain, from 1
     * @param actor the name of the token, or of the program
     * @param origin api, cli, console, schedule, program or weir
     * @param action the command, such as pin_key
     * @param target the thing that was changed, such as key:billing
     * @param before the changed part of the target's state before; absent if there was none
     * @param after the same part afterwards
     * @param hash the hash of this entry and of all before it
     */
    public record EntryView(
            long number,
            Instant at,
            String actor,
            String origin,
            @Nullable String requestId,
            @Nullable String reason,
            String action,
            String target,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            String hash) {}

    public record AuditPage(
            List<EntryView> entries, @Nullable String next) {}

    /** A place where a chain is broken. */
    public record ChainFinding(long number, String problem) {}

    /**
     * The result of checking a part of a chain.
     *
     * @param intact true if nothing was found
     * @param checked the number of entries that this request checked
     * @param head the last entry that was checked, as COUNT:HASH
     * @param complete true if the end of the chain was reached; otherwise continue with after=head
     * @param tail proved, unproved or missing: the evidence that nothing was removed from the end
     */
    public record ChainCheck(
            boolean intact, long checked, String head, boolean complete, String tail, List<ChainFinding> findings) {}
}
