package dev.weir.testkit.journal;

import dev.weir.core.state.AccessRows;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Move;
import dev.weir.core.state.SecretRow;
import dev.weir.core.state.StopRows;
import dev.weir.core.state.Suspension;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.WorkflowAvailability;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tokens and the end of the audit that a journal must contain after these moves. */
final class ExpectedAccess {
    private ExpectedAccess() {}

    static AccessRows of(List<Move> moves) {
        SortedMap<String, TokenRow> tokens = new TreeMap<>();
        AuditHead head = AuditHead.EMPTY;
        SortedMap<String, SecretRow> secrets = new TreeMap<>();
        Suspension suspension = null;
        SortedMap<String, WorkflowAvailability> workflows = new TreeMap<>();
        for (Move move : moves) {
            if (move instanceof Move.TokenCreated created) {
                tokens.put(created.token().name(), created.token());
            } else if (move instanceof Move.TokenRotated rotated) {
                tokens.replace(rotated.token().name(), rotated.token());
            } else if (move instanceof Move.TokenRevoked revoked) {
                tokens.remove(revoked.name());
            } else if (move instanceof Move.Audited audited) {
                head = new AuditHead(head.count() + 1, audited.entry().hash());
            } else if (move instanceof Move.SecretStored stored) {
                secrets.put(stored.secret().name(), stored.secret());
            } else if (move instanceof Move.SecretDeleted deleted) {
                secrets.remove(deleted.name());
            } else if (move instanceof Move.SuspensionChanged changed) {
                suspension = changed.suspension();
            } else if (move instanceof Move.AvailabilityChanged changed) {
                workflows.put(changed.workflow(), changed.availability());
            }
        }
        workflows.values().removeIf(WorkflowAvailability.OPEN::equals);
        return new AccessRows(tokens, head, secrets, new StopRows(suspension, workflows));
    }
}
