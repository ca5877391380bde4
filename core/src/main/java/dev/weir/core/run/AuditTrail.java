package dev.weir.core.run;

import dev.weir.core.command.AuditedCommand;
import dev.weir.core.command.Command;
import dev.weir.core.command.OrganisationControls;
import dev.weir.core.command.WithState;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.json.StorableJson;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Move;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Decides commands, and adds an entry to the organisation's audit chain for each change that a command made. */
final class AuditTrail {
    /** The longest state that an entry contains, in characters of JSON. A longer one is replaced by its hash. */
    static final int STATE_CHARS_MAX = 4_096;

    private static final int TARGET_CHARS_MAX = 1_500;

    private final MoveCollector moves;
    private AuditHead head = AuditHead.EMPTY;
    private Attribution source = Attribution.PROGRAM;

    AuditTrail(MoveCollector moves) {
        this.moves = moves;
    }

    void restore(AuditHead stored) {
        head = stored;
    }

    /** The source of the command that is being decided. */
    Attribution source() {
        return source;
    }

    AuditHead head() {
        return head;
    }

    <A> A decide(Command<A> command, Attribution by, OrganisationControls org, long now) {
        source = by;
        Command<?> inner = command instanceof WithState<?> withState ? withState.command() : command;
        if (!(inner instanceof AuditedCommand audited)) {
            return command.decide(org, now);
        }
        String before = text(audited.auditState(org, now));
        A answer = command.decide(org, now);
        String after = text(audited.auditState(org, now));
        if (!Objects.equals(before, after)) {
            String target = StorableJson.sanitize(audited.auditTarget(), TARGET_CHARS_MAX);
            var change = new AuditEntry.Change(audited.auditAction(), target, before, after);
            if (audited.isOfAdministration()) {
                moves.add(new Move.AdministrationAudited(by, change, now));
            }
            AuditEntry entry = AuditEntry.after(head, by, change, now);
            head = entry.head();
            moves.add(new Move.Audited(entry, now));
        }
        return answer;
    }

    private static @Nullable String text(@Nullable JsonNode state) {
        if (state == null) {
            return null;
        }
        String text = CanonicalJson.text(state);
        if (text.length() <= STATE_CHARS_MAX && StorableJson.findProblem(text) == null) {
            return text;
        }
        return CanonicalJson.text(JsonNodeFactory.instance
                .objectNode()
                .put("sha256", CanonicalJson.hash(state))
                .put("chars", text.length()));
    }
}
