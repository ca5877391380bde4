import type { RunLimits } from "../../api/limits";
import { Ago } from "../../parts/text";
import { shownLimits } from "../../words/limit-fields";
import { type Typed, typedOf } from "./EditLimits";

interface ConflictProps {
  /** The limits from which the user started. */
  base: RunLimits;
  /** The limits that another person has saved meanwhile. */
  theirs: RunLimits;
  mine: Typed;
  busy: boolean;
  onOverwrite: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Shows the other person's change beside the user's own, and lets the user decide. */
export function Conflict({ base, theirs, mine, busy, onOverwrite, onTakeTheirs, onClose }: ConflictProps) {
  const before = typedOf(base);
  const now = typedOf(theirs);
  const rows = shownLimits(theirs).filter(({ field }) => before[field] !== now[field] || before[field] !== mine[field]);
  return (
    <div class="stack">
      <div class="problem" role="alert">
        <b>Somebody else changed these limits meanwhile.</b> {theirs.changed_by ?? "An operator"} saved version {theirs.version}{" "}
        <Ago at={theirs.changed_at} />
        {theirs.reason && `: “${theirs.reason}”`}. Nothing of yours is saved yet.
      </div>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="Both changes">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col">Before</th>
              <th scope="col">Theirs, in force</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, name }) => (
              <tr key={field}>
                <th scope="row">{name}</th>
                <td>{before[field] || "–"}</td>
                <td>{now[field] === before[field] ? <span class="soft">{now[field] || "–"}</span> : <b>{now[field] || "–"}</b>}</td>
                <td>{mine[field] === before[field] ? <span class="soft">keeps theirs</span> : <b>{mine[field] || "cleared"}</b>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" onClick={onTakeTheirs}>
          Start again from theirs
        </button>
        <button type="button" class="danger" disabled={busy} onClick={onOverwrite}>
          Save mine over theirs
        </button>
      </div>
    </div>
  );
}
